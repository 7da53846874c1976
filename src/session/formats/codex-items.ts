// Response items of Codex CLI, the same in all its generations: messages, reasoning, calls and their outputs.

import { isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import type { AssistantBlock, ContentBlock } from "../../model/messages.ts";
import { answerTexts, argumentsOf, textBlock } from "./blocks.ts";
import {
  CODEX_FORMS,
  codexContent,
  codexOutput,
  cwdInEnvironment,
  reasoningText,
  userShellCommand,
} from "./codex-content.ts";
import { splitInjected } from "./injected-text.ts";
import type { ConversionOutput, Place } from "./output.ts";
import { createTurn, type Turn } from "./turn.ts";

export interface CodexItems {
  readonly turn: Turn;
  /** Places or counts one item. */
  push(item: JsonObject, place: Place): void;
  model(provider: string | undefined, model: string | undefined, place: Place): void;
  /** How a call ended, told by an event before its output. */
  ended(callId: string, details: JsonObject): void;
  /** The session goes back by so many of the user's turns; false if it has not had so many. */
  rollBack(turns: number): boolean;
}

interface State {
  readonly output: ConversionOutput;
  readonly turn: Turn;
  readonly endings: Map<string, JsonObject>;
  /** What stood before each of the user's turns. */
  readonly turnStarts: (string | null)[];
  provider: string;
  model: string;
  /** Changes where the next item begins another message. */
  group: number;
}

const API = "openai-responses";

export function createCodexItems(output: ConversionOutput): CodexItems {
  const turn = createTurn(output);
  const state: State = {
    output,
    turn,
    endings: new Map(),
    turnStarts: [],
    provider: "openai",
    model: "unknown",
    group: 0,
  };
  return {
    turn,
    push: (item, place) => pushItem(state, item, place),
    model(provider, model, place) {
      state.provider = provider ?? state.provider;
      if (model === undefined) return;
      state.model = model;
      output.model(state.provider, model, place);
    },
    ended: (callId, details) => {
      state.endings.set(callId, details);
      if (state.endings.size > 1_000) state.endings.clear();
    },
    rollBack(turns) {
      turn.end();
      const start = turns < 1 ? undefined : state.turnStarts.at(-turns);
      if (start === undefined) return false;
      state.turnStarts.splice(-turns);
      output.rewindTo(start);
      return true;
    },
  };
}

function pushItem(state: State, item: JsonObject, place: Place): void {
  const type = stringAt(item, "type") ?? (stringAt(item, "role") === undefined ? "" : "message");
  switch (type) {
    case "message":
      pushMessage(state, item, place);
      break;
    case "reasoning":
      pushReasoning(state, item, place);
      break;
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
    case "tool_search_call":
      pushCall(state, item, place);
      break;
    case "function_call_output":
    case "custom_tool_call_output":
    case "tool_search_output":
      pushOutput(state, item, place);
      break;
    case "web_search_call":
      pushServerCall(state, item, place);
      break;
    default:
      state.turn.custom(`codex:${type === "" ? "untyped" : type}`, withoutSecrets(item), place);
  }
}

/** What only the server can read. */
function withoutSecrets(item: JsonObject): JsonObject {
  const { encrypted_content: _, ...rest } = item;
  return rest;
}

function pushMessage(state: State, item: JsonObject, place: Place): void {
  const role = stringAt(item, "role");
  const content = codexContent(item["content"]);
  if (content.length === 0) {
    state.output.count(`message:${role ?? ""}`, "empty");
  } else if (role === "assistant") {
    addBlocks(state, answerTexts(content, state.output), place);
  } else if (role === "user") {
    pushUser(state, content, place);
  } else {
    state.turn.end();
    state.output.injected({ customType: `codex:${role ?? "message"}`, content, display: false }, place);
  }
}

function pushUser(state: State, content: readonly ContentBlock[], place: Place): void {
  state.turn.end();
  const own: ContentBlock[] = [];
  for (const block of content) {
    const command = block.type === "text" ? userShellCommand(block.text) : undefined;
    if (command !== undefined) {
      const ended = { cancelled: false, truncated: false } as const;
      state.output.message({ role: "bashExecution", ...command, ...ended }, place);
      continue;
    }
    const split = block.type === "text" ? splitInjected(block.text, CODEX_FORMS) : undefined;
    for (const piece of split?.injected ?? []) {
      const cwd = piece.kind === "environment_context" ? cwdInEnvironment(piece.text) : undefined;
      state.output.header({ cwd }, place);
      state.output.injected(
        { customType: `codex:${piece.kind}`, content: piece.text, display: false },
        place,
      );
    }
    if (split === undefined) own.push(block);
    else if (split.rest !== "") own.push(textBlock(split.rest));
  }
  const [first] = own;
  if (first === undefined) return;
  const plain = own.length === 1 && first.type === "text" ? first.text : own;
  state.turnStarts.push(state.output.leafId);
  state.output.message({ role: "user", content: plain }, place);
}

/** Reasoning begins an answer, also where only the server can read it. */
function pushReasoning(state: State, item: JsonObject, place: Place): void {
  const thinking = reasoningText(item);
  if (state.turn.state === "answered") state.turn.end();
  if (thinking === "") state.output.count("reasoning", "empty");
  else addBlocks(state, [{ type: "thinking", thinking }], place);
}

function pushCall(state: State, item: JsonObject, place: Place): void {
  const type = stringAt(item, "type") ?? "";
  const name = stringAt(item, "name") ?? type.replace(/_call$/, "");
  const id = stringAt(item, "call_id") ?? stringAt(item, "id") ?? `line-${place.source.line}`;
  const given = item["arguments"] ?? item["input"] ?? item["action"];
  addBlocks(state, [{ type: "toolCall", id, name, arguments: argumentsOf(given) }], place, true);
}

function pushOutput(state: State, item: JsonObject, place: Place): void {
  const callId = stringAt(item, "call_id") ?? "";
  const output = codexOutput(item["output"] ?? item["tools"]);
  const ending = state.endings.get(callId);
  state.endings.delete(callId);
  const exitCode = ending?.["exitCode"];
  const details = ending === undefined ? output.details : { ...ending, ...output.details };
  const failed =
    output.isError || ending?.["success"] === false || (typeof exitCode === "number" && exitCode !== 0);
  state.turn.result({ callId, content: output.content, isError: failed, details, place });
}

/** A search that the server ran itself: its result is not in the file, so the call answers itself. */
function pushServerCall(state: State, item: JsonObject, place: Place): void {
  const id = stringAt(item, "call_id") ?? stringAt(item, "id") ?? `line-${place.source.line}`;
  const action = objectAt(item, "action") ?? {};
  addBlocks(state, [{ type: "toolCall", id, name: "web_search", arguments: action }], place);
  state.turn.result({
    callId: id,
    content: [],
    isError: stringAt(item, "status") === "failed",
    details: { ranOnServer: true },
    place,
  });
}

/**
 * Blocks join the open message. Text and reasoning after a result begin the next one; a call joins while the message's
 * calls are being answered, since calls made together may be answered one by one.
 */
function addBlocks(state: State, blocks: readonly AssistantBlock[], place: Place, isCall = false): void {
  if (blocks.length === 0) return;
  if (state.turn.state === "answered" && !(isCall && state.turn.unanswered > 0)) state.turn.end();
  if (state.turn.state === "none") state.group += 1;
  const { model, provider } = state;
  state.turn.add({ key: String(state.group), place, blocks, api: API, provider, model });
}

/** The texts of a history that replaced the one before: what a compaction went on with. */
export function historyText(history: readonly unknown[]): string {
  return history
    .filter(isObject)
    .flatMap((item) => {
      const text = codexContent(item["content"]).flatMap((block) =>
        block.type === "text" ? [block.text] : [],
      );
      const own = text.map((part) => splitInjected(part, CODEX_FORMS).rest).filter((part) => part !== "");
      return own.length === 0 ? [] : [`${stringAt(item, "role") ?? "message"}: ${own.join("\n")}`];
    })
    .join("\n\n");
}
