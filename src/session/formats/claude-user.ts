// Claude Code's user lines: tool results, prompts, and the many things that are neither.

import { isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import type { ContentBlock } from "../../model/messages.ts";
import { countAt, scalarsOf } from "./blocks.ts";
import { contentBlocks, resultContent, userBlock } from "./claude-content.ts";
import { bashInput, bashOutput, CLAUDE_FORMS, CONTINUED } from "./claude-injected.ts";
import { type ClaudeState, dataOf, flushBash } from "./claude-state.ts";
import { type InjectedPiece, splitInjected } from "./injected-text.ts";
import type { Place } from "./output.ts";

/** Results go to the open turn; anything else ends it. */
export function pushUser(state: ClaudeState, value: JsonObject, place: Place): void {
  const blocks = contentBlocks(objectAt(value, "message")?.["content"]);
  const results = blocks.filter((block) => stringAt(block, "type") === "tool_result");
  for (const block of results) pushResult(state, block, { value, place, only: results.length === 1 });
  const others = blocks.filter((block) => !results.includes(block));
  if (others.length > 0) pushText(state, { value, place, blocks: others });
  else if (results.length === 0) state.output.count("user", "empty");
}

interface ResultLine {
  readonly value: JsonObject;
  readonly place: Place;
  readonly only: boolean;
}

/** The tool's own record repeats the content, images too; its short members are kept. */
const REPEATED: ReadonlySet<string> = new Set([
  "stdout",
  "stderr",
  "content",
  "file",
  "originalFile",
  "isImage",
]);

function pushResult(state: ClaudeState, block: JsonObject, line: ResultLine): void {
  const own = objectAt(line.value, "toolUseResult");
  const agentId = own === undefined ? undefined : stringAt(own, "agentId");
  if (agentId !== undefined) state.subagents.add(agentId);
  const details = own === undefined || !line.only ? undefined : scalarsOf(own, REPEATED);
  state.turn.result({
    callId: stringAt(block, "tool_use_id") ?? "",
    content: resultContent(block, state.output),
    isError: block["is_error"] === true,
    details,
    place: line.place,
  });
}

interface TextLine {
  readonly value: JsonObject;
  readonly place: Place;
  readonly blocks: readonly JsonObject[];
}

function pushText(state: ClaudeState, line: TextLine): void {
  const { value, place } = line;
  const text = line.blocks.map((block) => stringAt(block, "text") ?? "").join("\n");
  if (value["isCompactSummary"] === true || CONTINUED.test(text)) {
    pushCompaction(state, text, line);
    return;
  }
  const printed = bashOutput(text);
  if (state.bash !== undefined && printed !== undefined) {
    flushBash(state, printed);
    return;
  }
  flushBash(state);
  const command = bashInput(text);
  if (command !== undefined) {
    state.turn.end();
    state.bash = { command, place };
    state.output.held();
    return;
  }
  const origin = stringAt(objectAt(value, "origin") ?? {}, "kind");
  if (value["isMeta"] === true) {
    injectAll(state, line, "meta");
    return;
  }
  if (origin !== undefined && !["human", "user"].includes(origin)) {
    injectAll(state, line, origin);
    return;
  }
  pushPrompt(
    state,
    line.blocks.flatMap((block) => userBlock(block, state.output)),
    line,
  );
}

function injectAll(state: ClaudeState, line: TextLine, kind: string): void {
  const content = line.blocks.flatMap((block) => userBlock(block, state.output));
  state.turn.after(() => {
    state.output.injected({ customType: `claude:${kind}`, content, display: false }, line.place);
  });
}

function pushCompaction(state: ClaudeState, summary: string, line: TextLine): void {
  const { boundary } = state;
  const metadata = boundary?.metadata ?? {};
  state.boundary = undefined;
  state.turn.end();
  const head = stringAt(objectAt(metadata, "preservedSegment") ?? {}, "headUuid");
  const at = head === undefined ? undefined : state.ordinals.of(head);
  const id = state.output.compaction(
    {
      summary,
      tokensBefore: countAt(metadata, "preTokens"),
      firstKeptEntryId: at === undefined ? undefined : (state.ordinals.entryAt(at) ?? undefined),
      details: scalarsOf(metadata, new Set(["preTokens"])),
    },
    line.place,
  );
  state.ordinals.placed(state.ordinal, id);
}

/** A user's own words, freed from what was put around them. */
function pushPrompt(
  state: ClaudeState,
  blocks: readonly ContentBlock[],
  line: Pick<TextLine, "value" | "place">,
): void {
  const split = blocks.map((block) =>
    block.type === "text"
      ? splitInjected(block.text, CLAUDE_FORMS)
      : { injected: [], rest: "", image: block },
  );
  const injected = split.flatMap((part) => part.injected);
  const content = split.flatMap((part): readonly ContentBlock[] => {
    if ("image" in part) return [part.image];
    return part.rest === "" ? [] : [{ type: "text", text: part.rest }];
  });
  endTurn(state, injected);
  if (content.length > 0) rewind(state, line.value);
  for (const piece of injected) inject(state, piece, line.place);
  if (content.length === 0) return;
  const only = content[0];
  const plain = content.length === 1 && only?.type === "text" ? only.text : content;
  const id = state.output.message({ role: "user", content: plain }, line.place);
  state.ordinals.placed(state.ordinal, id);
  state.lastPrompt = state.ordinal;
  state.promptText = typeof plain === "string" ? plain : "";
}

function endTurn(state: ClaudeState, injected: readonly InjectedPiece[]): void {
  const interrupted = injected.some((piece) => piece.kind === "interrupted");
  state.turn.end(interrupted ? "aborted" : undefined);
}

function inject(state: ClaudeState, piece: InjectedPiece, place: Place): void {
  const { kind, text, display } = piece;
  const id = state.output.injected({ customType: `claude:${kind}`, content: text, display }, place);
  state.ordinals.placed(state.ordinal, id);
}

/**
 * A prompt whose parent stands before the last prompt takes that prompt back: a rewind. Without a parent nothing is
 * known, and the history stays.
 */
function rewind(state: ClaudeState, value: JsonObject): void {
  const parent = stringAt(value, "parentUuid");
  const at = parent === undefined ? undefined : state.ordinals.of(parent);
  if (at !== undefined && at < state.lastPrompt) state.output.rewindTo(state.ordinals.entryAt(at));
}

/** A queued command may be the only copy of what the user typed while the assistant worked. */
export function pushAttachment(state: ClaudeState, value: JsonObject, place: Place): void {
  const attachment = objectAt(value, "attachment") ?? {};
  const type = stringAt(attachment, "type") ?? "";
  if (type !== "queued_command") {
    state.turn.custom(`claude:attachment:${type}`, dataOf(attachment), place);
    return;
  }
  const prompt = attachment["prompt"];
  const blocks = contentBlocks(prompt)
    .filter(isObject)
    .flatMap((block) => userBlock(block, state.output));
  if (typeof prompt === "string" && prompt === state.promptText) {
    state.output.count("attachment:queued_command", "repeats");
    return;
  }
  if (blocks.length === 0) {
    state.output.count("attachment:queued_command", "empty");
    return;
  }
  const mode = stringAt(attachment, "commandMode");
  if (mode !== undefined && mode !== "prompt") {
    state.turn.end();
    state.output.injected({ customType: `claude:${mode}`, content: blocks, display: false }, place);
    return;
  }
  pushPrompt(state, blocks, { value: {}, place });
}
