// Copilot CLI's events.jsonl: {type, data, id, timestamp, parentId}.

import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import type { ContentBlock } from "../../model/messages.ts";
import { imageOfUrl, textBlock } from "./blocks.ts";
import { type CopilotState, createCopilotState } from "./copilot-state.ts";
import { pushAssistant, pushToolEnd, pushToolStart } from "./copilot-turn.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput, Place } from "./output.ts";
import type { SourceValue } from "./values.ts";

export const copilotFormat: ForeignFormat = {
  name: "copilot",
  documentMember: undefined,
  recognise,
  converter,
};

function recognise(object: JsonObject): boolean {
  const type = stringAt(object, "type");
  return (
    type !== undefined && /^(session|user|assistant|tool|system)\./.test(type) && isObject(object["data"])
  );
}

function converter(output: ConversionOutput): Converter {
  const state = createCopilotState(output);
  return { push: (source) => push(state, source), end: () => state.turn.end() };
}

function push(state: CopilotState, source: SourceValue): void {
  const { value } = source;
  const place: Place = { source, timestamp: stringAt(value, "timestamp") };
  const type = stringAt(value, "type") ?? "untyped";
  const data = objectAt(value, "data") ?? {};
  state.ordinal = state.ordinals.next(stringAt(value, "id"));
  // Newer versions name the subagent beside the data, older ones the call that started it.
  const agentId = stringAt(value, "agentId");
  const isSubagent = agentId !== undefined || stringAt(data, "parentToolCallId") !== undefined;
  if (isSubagent || type.startsWith("subagent.")) {
    state.output.subagent("copilot:subagent", { type, ...data, agentId }, place);
    return;
  }
  switch (type) {
    case "session.start":
    case "session.resume":
      pushStart(state, data, place);
      break;
    case "session.model_change":
      state.model = stringAt(data, "newModel") ?? state.model;
      state.output.model(PROVIDER, state.model, place);
      break;
    case "user.message":
      pushUser(state, data, place);
      break;
    case "assistant.message":
      pushAssistant(state, data, place);
      break;
    case "tool.execution_start":
      pushToolStart(state, data, place);
      break;
    case "tool.execution_complete":
      pushToolEnd(state, data, place);
      break;
    default:
      pushOther(state, { type, data, place });
  }
}

const PROVIDER = "github-copilot";

function pushStart(state: CopilotState, data: JsonObject, place: Place): void {
  const context = objectAt(data, "context") ?? {};
  state.output.held();
  state.output.header(
    {
      id: stringAt(data, "sessionId"),
      timestamp: stringAt(data, "startTime"),
      cwd: stringAt(context, "cwd"),
      writtenBy: stringAt(data, "copilotVersion"),
    },
    place,
  );
  const commit = stringAt(context, "headCommit");
  state.output.git(
    { branch: stringAt(context, "branch"), commit, repository: stringAt(context, "repository") },
    place,
  );
  const model = stringAt(data, "selectedModel");
  if (model === undefined) return;
  state.model = model;
  state.output.model(PROVIDER, model, place);
}

/** `content` is what was typed; `transformedContent` has reminders put around it. */
function pushUser(state: CopilotState, data: JsonObject, place: Place): void {
  state.turn.end();
  const text = stringAt(data, "content") ?? "";
  const images = (arrayAt(data, "attachments") ?? []).filter(isObject).map(attachment);
  const source = stringAt(data, "source");
  const content: readonly ContentBlock[] = text === "" ? images : [textBlock(text), ...images];
  const [first] = content;
  if (first === undefined) {
    state.output.count("user.message", "empty");
    return;
  }
  if (source !== undefined && source !== "user") {
    state.output.injected({ customType: `copilot:${source}`, content, display: false }, place);
    return;
  }
  const plain = content.length === 1 && first.type === "text" ? first.text : content;
  state.placed(state.output.message({ role: "user", content: plain }, place));
}

/** An image, or what tells of anything else that was attached: its name, and of a selection the text. */
function attachment(attached: JsonObject): ContentBlock {
  const data = stringAt(attached, "data");
  const url = stringAt(attached, "url") ?? data ?? "";
  if (url.startsWith("data:image/")) return imageOfUrl(url);
  const mimeType = stringAt(attached, "mimeType") ?? "";
  if (data !== undefined && mimeType.startsWith("image/")) return { type: "image", data, mimeType };
  const name = NAME_KEYS.map((key) => stringAt(attached, key)).find((text) => text !== undefined);
  const text = stringAt(attached, "text") ?? "";
  return textBlock(`[attached ${name ?? "something"}]${text === "" ? "" : `\n${text}`}`);
}

const NAME_KEYS = ["displayName", "path", "filePath", "title", "url", "mimeType", "type"];

interface OtherEvent {
  readonly type: string;
  readonly data: JsonObject;
  readonly place: Place;
}

function pushOther(state: CopilotState, { type, data, place }: OtherEvent): void {
  if (type === "system.message") {
    state.output.count(type, "bookkeeping");
  } else if (type === "abort") {
    state.turn.end("aborted");
    state.output.custom("copilot:abort", data, place);
  } else if (type === "session.compaction_complete" && stringAt(data, "summaryContent")) {
    state.turn.end();
    const tokensBefore = data["preCompactionTokens"];
    const summary = stringAt(data, "summaryContent") ?? "";
    state.placed(
      state.output.compaction(
        { summary, tokensBefore: typeof tokensBefore === "number" ? tokensBefore : 0 },
        place,
      ),
    );
  } else if (type === "session.snapshot_rewind") {
    pushRewind(state, data, place);
  } else if (type === "session.title_changed") {
    state.output.held();
    state.output.header({ title: stringAt(data, "title") }, place);
  } else {
    if (type === "assistant.turn_end") state.turn.end();
    state.turn.custom(`copilot:${type}`, data, place);
  }
}

/** The session goes back to before an event. */
function pushRewind(state: CopilotState, data: JsonObject, place: Place): void {
  state.turn.end();
  state.output.custom("copilot:session.snapshot_rewind", data, place);
  const named = [data["upToEventId"], ...(arrayAt(data, "eventIds") ?? [])];
  const known = named.flatMap((id) => (typeof id === "string" ? (state.ordinals.of(id) ?? []) : []));
  const at = known.length === 0 ? undefined : Math.min(...known);
  if (at !== undefined) state.output.rewindTo(state.ordinals.entryAt(at - 1));
}
