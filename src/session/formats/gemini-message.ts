// One message of Gemini CLI: what the user typed, what the model said and called, and notices.

import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import type { AssistantBlock, ContentBlock, Usage } from "../../model/messages.ts";
import { codeInText } from "../exit-status.ts";
import { answerTexts, argumentsOf, countAt, leftOut, textBlock } from "./blocks.ts";
import type { Ordinals } from "./ordinals.ts";
import type { ConversionOutput, Place } from "./output.ts";
import type { Turn } from "./turn.ts";
import type { SourceValue } from "./values.ts";

export interface GeminiState {
  readonly output: ConversionOutput;
  readonly turn: Turn;
  readonly ordinals: Ordinals;
  ordinal: number;
}

/** Places a message in its last version. */
export function placeMessage(state: GeminiState, source: SourceValue): void {
  const { value } = source;
  const place: Place = { source, timestamp: stringAt(value, "timestamp") };
  state.turn.end();
  const type = stringAt(value, "type") ?? "untyped";
  switch (type) {
    case "user":
      placeUser(state, value, place);
      break;
    case "gemini":
      placeAnswer(state, value, place);
      break;
    default:
      state.output.custom(`gemini:${type}`, { content: value["content"] }, place);
  }
}

/** What was typed; files that were put in for it are beside it, as text that nobody typed. */
function placeUser(state: GeminiState, value: JsonObject, place: Place): void {
  const sent = parts(value["content"]);
  const typed = parts(value["displayContent"]);
  const isExpanded = typed.length > 0 && JSON.stringify(typed) !== JSON.stringify(sent);
  if (isExpanded) {
    state.output.injected({ customType: "gemini:expanded", content: sent, display: false }, place);
  }
  const content = isExpanded ? typed : sent;
  const [first] = content;
  if (first === undefined) {
    state.output.count("user", "empty");
    return;
  }
  const plain = content.length === 1 && first.type === "text" ? first.text : content;
  state.ordinals.placed(state.ordinal, state.output.message({ role: "user", content: plain }, place));
}

/** Texts and inline images of a content that may be a plain text or one part. */
function parts(content: unknown): readonly ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [textBlock(content)];
  const list = Array.isArray(content) ? content : [content];
  return list.flatMap((part): readonly ContentBlock[] => {
    if (!isObject(part)) return leftOut(part);
    const text = stringAt(part, "text");
    if (text !== undefined) return text === "" ? [] : [textBlock(text)];
    const inline = objectAt(part, "inlineData");
    const data = stringAt(inline ?? {}, "data");
    if (data === undefined) return leftOut(part);
    return [{ type: "image", data, mimeType: stringAt(inline ?? {}, "mimeType") ?? "image/png" }];
  });
}

function placeAnswer(state: GeminiState, value: JsonObject, place: Place): void {
  const model = stringAt(value, "model") ?? "unknown";
  if (model !== "unknown") state.output.model("google", model, place);
  const calls = (arrayAt(value, "toolCalls") ?? []).filter(isObject);
  const blocks: AssistantBlock[] = [
    ...thoughts(value),
    ...answerTexts(parts(value["content"]), state.output),
    ...calls.map(toolCall),
  ];
  const usage = tokens(value);
  state.turn.add({ key: String(state.ordinal), place, blocks, api: API, provider: "google", model, usage });
  for (const call of calls) placeResult(state, call, place);
  state.turn.end();
}

const API = "google-generative-ai";

function thoughts(value: JsonObject): readonly AssistantBlock[] {
  return (arrayAt(value, "thoughts") ?? []).filter(isObject).flatMap((thought) => {
    const lines = [stringAt(thought, "subject"), stringAt(thought, "description")];
    const thinking = lines.filter((line) => line !== undefined && line !== "").join("\n");
    return thinking === "" ? [] : [{ type: "thinking" as const, thinking }];
  });
}

function toolCall(call: JsonObject): AssistantBlock {
  const id = stringAt(call, "id") ?? "";
  return {
    type: "toolCall",
    id,
    name: stringAt(call, "name") ?? "unknown",
    arguments: argumentsOf(call["args"]),
  };
}

/** A call without a result, and without a status that ended it, has none in our session either. */
function placeResult(state: GeminiState, call: JsonObject, place: Place): void {
  const status = stringAt(call, "status") ?? "";
  const content = resultContent(call);
  if (content.length === 0 && !ENDED.has(status)) return;
  const code = content[0]?.type === "text" ? codeInText(content[0].text) : undefined;
  state.turn.result({
    callId: stringAt(call, "id") ?? "",
    content,
    isError: status === "error" || status === "cancelled" || (code !== undefined && code !== 0),
    details: code === undefined ? undefined : { exitCode: code },
    place: { ...place, timestamp: stringAt(call, "timestamp") ?? place.timestamp },
  });
}

const ENDED: ReadonlySet<string> = new Set(["success", "error", "cancelled"]);

function resultContent(call: JsonObject): readonly ContentBlock[] {
  const result = call["result"];
  if (typeof result === "string") return parts(result);
  return (Array.isArray(result) ? result : [result]).flatMap((part) => {
    const answer = isObject(part) ? objectAt(part, "functionResponse") : undefined;
    const response = objectAt(answer ?? {}, "response");
    if (answer === undefined || response === undefined) return parts(part);
    return [...responseTexts(response), ...parts(arrayAt(answer, "parts") ?? [])];
  });
}

function responseTexts(response: JsonObject): readonly ContentBlock[] {
  const said = response["output"] ?? response["error"] ?? response["content"];
  if (typeof said === "string") return parts(said);
  return Object.keys(response).length === 0 ? [] : [textBlock(JSON.stringify(said ?? response))];
}

/** `input` has the cached tokens in it; thoughts are beside the output. */
function tokens(value: JsonObject): Usage | undefined {
  const told = objectAt(value, "tokens");
  if (told === undefined) return undefined;
  const cacheRead = countAt(told, "cached");
  const input = Math.max(0, countAt(told, "input") - cacheRead) + countAt(told, "tool");
  const output = countAt(told, "output") + countAt(told, "thoughts");
  return { input, output, cacheRead, cacheWrite: 0, totalTokens: input + output + cacheRead };
}

/** A version that came when the message was placed already: the first stays. */
export function completeLate(state: GeminiState, source: SourceValue): void {
  const place: Place = { source, timestamp: stringAt(source.value, "timestamp") };
  state.output.count("late version of a message", "repeats");
  state.output.problem("late-update", "a message was changed long after it was written", place);
}
