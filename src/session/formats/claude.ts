// Claude Code's session files (~/.claude/projects): one object a line. File order is kept; the tree of uuids is used for
// rewinds only, since the lines of one message, and tool results, share parents.

import { isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import { pushAssistant } from "./claude-assistant.ts";
import { type ClaudeState, createClaudeState, dataOf, flushBash } from "./claude-state.ts";
import { pushAttachment, pushUser } from "./claude-user.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput, Place } from "./output.ts";
import type { SourceValue } from "./values.ts";

export const claudeFormat: ForeignFormat = {
  name: "claude",
  documentMember: undefined,
  recognise,
  converter,
};

const TYPES: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "system",
  "attachment",
  "progress",
  "queue-operation",
  "last-prompt",
  "ai-title",
  "custom-title",
  "agent-name",
  "permission-mode",
  "mode",
  "pr-link",
]);

function recognise(object: JsonObject): boolean {
  const type = stringAt(object, "type");
  if (type === undefined) return false;
  if (type === "summary") return "summary" in object && "leafUuid" in object;
  if (type === "file-history-snapshot") return "messageId" in object || "snapshot" in object;
  return "sessionId" in object && TYPES.has(type) && !isObject(object["payload"]);
}

function converter(output: ConversionOutput): Converter {
  const state = createClaudeState(output);
  return {
    push: (source) => push(state, source),
    end: () => {
      state.turn.end();
      flushBash(state);
      endCompaction(state);
      endTitle(state);
    },
    subagents: () => [...state.subagents],
    pushSubagent: (agentId, source) => pushSubagent(state, agentId, source),
  };
}

/** A message of a subagent's own file; its other lines say nothing of the session. */
function pushSubagent(state: ClaudeState, agentId: string, source: SourceValue): void {
  const { value } = source;
  const type = stringAt(value, "type");
  const place: Place = { source, timestamp: stringAt(value, "timestamp") };
  if (type === "user" || type === "assistant") {
    state.output.subagent("claude:subagent", { type, ...dataOf(value), agentId }, place);
  } else {
    state.output.count(`subagent:${type ?? "untyped"}`, "bookkeeping");
  }
}

function push(state: ClaudeState, source: SourceValue): void {
  const { value } = source;
  const snapshot = objectAt(value, "snapshot") ?? {};
  const timestamp = stringAt(value, "timestamp") ?? stringAt(snapshot, "timestamp");
  const place: Place = { source, timestamp };
  const uuid = stringAt(value, "uuid");
  state.ordinal = state.ordinals.next(uuid);
  pushFacts(state, value, place);
  const type = stringAt(value, "type");
  if (type === "user" || type === "assistant") state.isSubagent ??= value["isSidechain"] === true;
  if (value["isSidechain"] === true && state.isSubagent !== true) {
    pushSidechain(state, value, place);
    return;
  }
  switch (type) {
    case "user":
      pushUser(state, value, place);
      return;
    case "assistant":
      pushAssistant(state, value, place);
      return;
    case "attachment":
      pushAttachment(state, value, place);
      return;
    case "system":
      pushSystem(state, value, place);
      return;
    case "progress":
      pushProgress(state, value, place);
      return;
    case "summary":
      pushSummary(state, value, place);
      return;
    case "custom-title":
    case "ai-title":
      pushTitle(state, value, place);
      return;
    default:
      state.turn.custom(`claude:${type ?? "untyped"}`, dataOf(value), place);
      return;
  }
}

function pushFacts(state: ClaudeState, value: JsonObject, place: Place): void {
  const id = stringAt(value, "sessionId");
  if (id === undefined) return;
  const cwd = stringAt(value, "cwd");
  const { timestamp } = place;
  state.output.header({ id, cwd, timestamp, writtenBy: stringAt(value, "version") }, place);
  const branch = stringAt(value, "gitBranch");
  if (branch !== undefined && branch !== "" && branch !== "HEAD") state.output.git({ branch }, place);
}

function pushSystem(state: ClaudeState, value: JsonObject, place: Place): void {
  const subtype = stringAt(value, "subtype") ?? "";
  if (subtype !== "compact_boundary") {
    state.turn.custom(`claude:system:${subtype}`, dataOf(value), place);
    return;
  }
  endCompaction(state);
  state.turn.end();
  state.boundary = { metadata: objectAt(value, "compactMetadata") ?? {}, place };
  state.output.held();
}

/** A boundary that no summary followed: nothing is known of what the model went on with, so the history stays. */
function endCompaction(state: ClaudeState): void {
  const { boundary } = state;
  if (boundary === undefined) return;
  state.boundary = undefined;
  state.turn.custom("claude:system:compact_boundary", boundary.metadata, boundary.place);
}

/** `agent_progress` holds a message of a subagent; the rest is output that comes again in results. */
function pushProgress(state: ClaudeState, value: JsonObject, place: Place): void {
  const data = objectAt(value, "data") ?? {};
  const type = stringAt(data, "type") ?? "";
  if (type !== "agent_progress") {
    state.turn.custom(`claude:progress:${type}`, dataOf(data), place);
    return;
  }
  const message = objectAt(data, "message") ?? {};
  const toolCallId = stringAt(value, "parentToolUseID");
  const agentId = stringAt(data, "agentId");
  state.output.subagent("claude:subagent", { agentId, toolCallId, ...dataOf(message) }, place);
}

function pushSidechain(state: ClaudeState, value: JsonObject, place: Place): void {
  state.output.subagent("claude:subagent", { type: value["type"], ...dataOf(value) }, place);
}

/** A title of the conversation that ends at a leaf, which may be one of another file. */
function pushSummary(state: ClaudeState, value: JsonObject, place: Place): void {
  const title = stringAt(value, "summary") ?? "";
  const leaf = stringAt(value, "leafUuid") ?? "";
  state.summaries.push({ title, leaf, place });
  if (state.summaries.length > 50) state.summaries.shift();
  state.turn.custom("claude:summary", { summary: title, leafUuid: leaf }, place);
}

/** A title that the user gave wins over one that was made. */
function pushTitle(state: ClaudeState, value: JsonObject, place: Place): void {
  const own = value["type"] === "custom-title";
  const title = ["customTitle", "aiTitle", "title"].map((key) => stringAt(value, key)).find((text) => text);
  if (title === undefined || (state.titled === "own" && !own)) {
    state.turn.custom(`claude:${value["type"]}`, dataOf(value), place);
    return;
  }
  state.titled = own ? "own" : "made";
  state.output.held();
  state.output.header({ title }, place);
}

function endTitle(state: ClaudeState): void {
  if (state.titled !== undefined) return;
  const last = state.summaries.findLast((summary) => state.ordinals.of(summary.leaf) !== undefined);
  if (last !== undefined && last.title !== "") state.output.header({ title: last.title }, last.place);
}
