// Codex CLI's third generation: lines of {timestamp, type, payload}. Events repeat what response items hold: the items
// are taken, the events counted, except for what only they tell.

import { arrayAt, isObject, type JsonObject, numberAt, objectAt, stringAt } from "../../base/json.ts";
import { codexUsage } from "./codex-content.ts";
import { type CodexItems, createCodexItems, historyText } from "./codex-items.ts";
import { createTokenCounts, type TokenCounts } from "./codex-tokens.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput, Place } from "./output.ts";
import type { SourceValue } from "./values.ts";

export const codexV3Format: ForeignFormat = {
  name: "codex-v3",
  documentMember: undefined,
  recognise,
  converter,
};

function recognise(object: JsonObject): boolean {
  const type = stringAt(object, "type");
  if (type === undefined || !isObject(object["payload"])) return false;
  return ["session_meta", "turn_context", "response_item", "event_msg", "compacted"].includes(type);
}

interface State {
  readonly output: ConversionOutput;
  readonly items: CodexItems;
  readonly tokens: TokenCounts;
  hasMeta: boolean;
}

function converter(output: ConversionOutput): Converter {
  const items = createCodexItems(output);
  const state: State = { output, items, tokens: createTokenCounts(items.turn), hasMeta: false };
  return {
    push: (source) => push(state, source),
    end: () => {
      state.tokens.settle();
      items.turn.end();
      if (state.tokens.pending()) output.count("event_msg:token_count", "no place");
    },
  };
}

function push(state: State, source: SourceValue): void {
  const { value } = source;
  const place: Place = { source, timestamp: stringAt(value, "timestamp") };
  const type = stringAt(value, "type") ?? "untyped";
  const payload = objectAt(value, "payload");
  if (payload === undefined) {
    state.output.problem("bad-value", `a line of type ${type} has no payload`, place);
    state.output.count(type, "empty");
    return;
  }
  switch (type) {
    case "session_meta":
      pushMeta(state, payload, place);
      break;
    case "turn_context":
      pushTurnContext(state, payload, place);
      break;
    case "response_item":
      state.tokens.settle();
      state.items.push(payload, place);
      break;
    case "event_msg":
      pushEvent(state, payload, place);
      break;
    case "compacted":
      pushCompacted(state, payload, place);
      break;
    default:
      state.output.custom(`codex:${type}`, payload, place);
  }
}

/** A file that was forked off another holds that one's meta line too; the first is its own. */
function pushMeta(state: State, meta: JsonObject, place: Place): void {
  if (state.hasMeta) {
    const { id, timestamp, cwd } = meta;
    state.output.custom("codex:session_meta", { id, timestamp, cwd }, place);
    return;
  }
  state.hasMeta = true;
  state.output.held();
  state.output.header(
    {
      id: stringAt(meta, "id"),
      timestamp: stringAt(meta, "timestamp") ?? place.timestamp,
      cwd: stringAt(meta, "cwd"),
      parentSession: stringAt(meta, "forked_from_id"),
      writtenBy: stringAt(meta, "cli_version"),
    },
    place,
  );
  const git = objectAt(meta, "git") ?? {};
  state.output.git(
    {
      branch: stringAt(git, "branch"),
      commit: stringAt(git, "commit_hash"),
      repository: stringAt(git, "repository_url"),
    },
    place,
  );
  state.items.model(stringAt(meta, "model_provider"), undefined, place);
  if (isObject(meta["base_instructions"]) || typeof meta["instructions"] === "string") {
    state.output.count("session_meta:instructions", "bookkeeping");
  }
}

function pushTurnContext(state: State, context: JsonObject, place: Place): void {
  state.output.held();
  state.output.header({ cwd: stringAt(context, "cwd") }, place);
  state.items.model(undefined, stringAt(context, "model"), place);
  const effort = stringAt(context, "effort");
  if (effort !== undefined) state.output.thinkingLevel(effort, place);
}

/** Events whose content stands in response items too. */
const REPEATS: ReadonlySet<string> = new Set([
  "user_message",
  "agent_message",
  "agent_message_delta",
  "agent_reasoning",
  "agent_reasoning_delta",
  "agent_reasoning_raw_content",
  "agent_reasoning_section_break",
  "context_compacted",
  "web_search_begin",
  "web_search_end",
  "view_image_tool_call",
  "exec_command_begin",
  "patch_apply_begin",
  "mcp_tool_call_begin",
]);

const TURN_ENDS: ReadonlySet<string> = new Set(["task_complete", "turn_complete"]);

function pushEvent(state: State, event: JsonObject, place: Place): void {
  const type = stringAt(event, "type") ?? "untyped";
  if (REPEATS.has(type)) {
    state.output.count(`event_msg:${type}`, "repeats");
  } else if (type === "token_count") {
    const info = objectAt(event, "info");
    const last = objectAt(info ?? {}, "last_token_usage");
    const total = objectAt(info ?? {}, "total_token_usage");
    if (last !== undefined) state.tokens.told(codexUsage(last), total);
    state.output.count("event_msg:token_count", "bookkeeping");
  } else if (type === "exec_command_end" || type === "patch_apply_end") {
    pushEnding(state, event, type);
  } else if (type === "thread_rolled_back") {
    state.output.custom("codex:thread_rolled_back", event, place);
    state.items.rollBack(numberAt(event, "num_turns") ?? 0);
  } else if (type === "turn_aborted") {
    state.items.turn.end("aborted");
    state.output.custom("codex:turn_aborted", event, place);
  } else {
    if (TURN_ENDS.has(type)) state.items.turn.end();
    state.items.turn.custom(`codex:${type}`, event, place);
  }
}

/** How a call ended; its output comes after, or has come before and told it. */
function pushEnding(state: State, event: JsonObject, type: string): void {
  const callId = stringAt(event, "call_id");
  const exitCode = numberAt(event, "exit_code");
  const success = event["success"];
  if (callId !== undefined && (exitCode !== undefined || typeof success === "boolean")) {
    state.items.ended(callId, {
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(typeof success === "boolean" ? { success } : {}),
    });
  }
  state.output.count(`event_msg:${type}`, "repeats");
}

/** The summary; where it is empty, the texts of the history that the session went on with. */
function pushCompacted(state: State, payload: JsonObject, place: Place): void {
  state.items.turn.end();
  const history = arrayAt(payload, "replacement_history") ?? [];
  const told = stringAt(payload, "message") ?? "";
  const summary = told.trim() === "" ? historyText(history) : told;
  if (summary === "") state.output.problem("bad-value", "a compaction has no text that can be read", place);
  const tokensBefore = state.tokens.context();
  const details = history.length === 0 ? undefined : { replacementItems: history.length };
  state.output.compaction({ summary, tokensBefore, details }, place);
}
