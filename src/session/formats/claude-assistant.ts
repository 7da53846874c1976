// Claude Code's assistant lines: one block a line, joined by `message.id`.

import { booleanAt, isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import { textOf } from "../../model/messages.ts";
import {
  assistantBlock,
  claudeStopReason,
  claudeUsage,
  contentBlocks,
  resultContent,
  serverResults,
} from "./claude-content.ts";
import { type ClaudeState, dataOf, flushBash } from "./claude-state.ts";
import type { Place } from "./output.ts";

const PROVIDER = "anthropic";
const API = "anthropic-messages";
/** The model's name on messages that no model wrote. */
const SYNTHETIC = "<synthetic>";

/** Adds the line's blocks to the message that is open, or opens the next one. */
export function pushAssistant(state: ClaudeState, value: JsonObject, place: Place): void {
  const message = objectAt(value, "message");
  if (message === undefined) {
    state.output.problem("bad-value", "an assistant line has no message", place);
    return;
  }
  flushBash(state);
  const model = stringAt(message, "model") ?? state.model ?? "unknown";
  if (model === SYNTHETIC) {
    pushSynthetic(state, value, place);
    return;
  }
  if (state.turn.state === "none" || model !== state.model) {
    if (model !== state.model) state.turn.end();
    state.output.model(PROVIDER, model, place);
  }
  state.model = model;
  const server = serverResults(message);
  const blocks = contentBlocks(message["content"]).filter((block) => !server.includes(block));
  state.turn.add({
    key: stringAt(message, "id") ?? stringAt(value, "uuid") ?? "",
    place,
    blocks: blocks.flatMap((block) => assistantBlock(block, state.output)),
    api: API,
    provider: PROVIDER,
    model,
    usage: claudeUsage(message),
    stopReason: claudeStopReason(message),
  });
  for (const block of server) pushServerResult(state, block, place);
}

function pushServerResult(state: ClaudeState, block: JsonObject, place: Place): void {
  const content = block["content"];
  const found = Array.isArray(content) ? content.filter(isObject) : [];
  const lines = found.map((item) =>
    [stringAt(item, "title"), stringAt(item, "url")].filter(Boolean).join(" "),
  );
  const text = lines.filter((line) => line !== "").join("\n");
  state.turn.result({
    callId: stringAt(block, "tool_use_id") ?? "",
    content: text === "" ? resultContent(block, state.output) : [{ type: "text", text }],
    isError: isObject(content) && "error_code" in content,
    place,
  });
}

/** An API error is a message that failed; other lines without a model say nothing that the session lacks. */
function pushSynthetic(state: ClaudeState, value: JsonObject, place: Place): void {
  if (booleanAt(value, "isApiErrorMessage") !== true) {
    state.turn.custom("claude:synthetic", dataOf(value), place);
    return;
  }
  const blocks = contentBlocks(objectAt(value, "message")?.["content"]).flatMap((block) =>
    assistantBlock(block, state.output),
  );
  state.turn.end();
  state.turn.add({
    key: stringAt(value, "uuid") ?? "api-error",
    place,
    blocks,
    api: API,
    provider: PROVIDER,
    model: state.model ?? "unknown",
    stopReason: "error",
    errorMessage: textOf(blocks),
  });
  state.turn.end();
}
