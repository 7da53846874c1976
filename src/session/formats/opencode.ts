// OpenCode's exports: one object {info, messages[{info, parts}]}.

import { arrayAt, isObject, type JsonObject, numberAt, objectAt, stringAt } from "../../base/json.ts";
import type { ContentBlock } from "../../model/messages.ts";
import { textBlock } from "./blocks.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import { pushAssistantParts } from "./opencode-assistant.ts";
import { filePart } from "./opencode-parts.ts";
import type { ConversionOutput, Place } from "./output.ts";
import { isoTime } from "./times.ts";
import { createTurn, type Turn } from "./turn.ts";
import type { SourceValue } from "./values.ts";

export const opencodeFormat: ForeignFormat = {
  name: "opencode",
  documentMember: "messages",
  recognise,
  converter,
};

function recognise(object: JsonObject): boolean {
  const info = object["info"];
  return isObject(info) && stringAt(info, "id") !== undefined && !("parts" in object);
}

/** OpenCode's own record of a session: what an export has as `info`. */
export function isOpencodeInfo(object: JsonObject): boolean {
  return "projectID" in object && "directory" in object && stringAt(object, "id") !== undefined;
}

function converter(output: ConversionOutput): Converter {
  const turn = createTurn(output);
  return {
    push(source) {
      const { value } = source;
      if ("parts" in value) pushMessage(output, turn, { message: value, source });
      else pushDocument(output, turn, source);
    },
    end: () => turn.end(),
  };
}

function pushDocument(output: ConversionOutput, turn: Turn, source: SourceValue): void {
  const info = objectAt(source.value, "info");
  if (info === undefined) return;
  const timestamp = isoTime(objectAt(info, "time")?.["created"]);
  output.held();
  output.header(
    {
      id: stringAt(info, "id"),
      timestamp,
      cwd: stringAt(info, "directory"),
      title: stringAt(info, "title"),
      parentSession: stringAt(info, "parentID"),
      writtenBy: stringAt(info, "version"),
    },
    { source, timestamp },
  );
  const revert = objectAt(info, "revert") ?? {};
  const revertedId = stringAt(revert, "messageID");
  let before: string | null | undefined;
  for (const message of arrayAt(source.value, "messages") ?? []) {
    if (!isObject(message)) {
      output.count("message that is no object", "no place");
      continue;
    }
    const id = stringAt(objectAt(message, "info") ?? {}, "id");
    if (id !== undefined && id === revertedId) before = output.leafId;
    pushMessage(output, turn, { message, source });
  }
  if (before === undefined) return;
  // What was undone stays in the file, on a branch that is left.
  turn.end();
  output.rewindTo(before);
  output.custom("opencode:revert", revert, { source });
}

interface MessageAt {
  readonly message: JsonObject;
  readonly source: SourceValue;
}

function pushMessage(output: ConversionOutput, turn: Turn, { message, source }: MessageAt): void {
  const info = objectAt(message, "info");
  const parts = (arrayAt(message, "parts") ?? []).filter(isObject);
  const text = JSON.stringify([info?.["id"], parts.length]);
  const timestamp = isoTime(numberAt(objectAt(info ?? {}, "time") ?? {}, "created"));
  const place: Place = { source: { ...source, text }, timestamp };
  switch (stringAt(info ?? {}, "role")) {
    case "user":
      pushUser(output, turn, { parts, place });
      break;
    case "assistant":
      pushAssistantParts(output, turn, { info: info ?? {}, parts, place });
      break;
    default:
      output.count("message without a role", "no place");
  }
}

interface UserParts {
  readonly parts: readonly JsonObject[];
  readonly place: Place;
}

/** Synthetic texts were put in by the program: what a file holds, a reminder. */
function pushUser(output: ConversionOutput, turn: Turn, { parts, place }: UserParts): void {
  turn.end();
  const own: ContentBlock[] = [];
  for (const part of parts) {
    const text = stringAt(part, "text");
    if (part["type"] === "text" && text !== undefined) {
      if (part["synthetic"] === true) {
        output.injected({ customType: "opencode:synthetic", content: text, display: false }, place);
      } else if (text !== "") own.push(textBlock(text));
    } else if (part["type"] === "file") own.push(...filePart(part));
    else output.custom(`opencode:${stringAt(part, "type") ?? "part"}`, part, place);
  }
  const [first] = own;
  if (first === undefined) {
    output.count("user", "empty");
    return;
  }
  const plain = own.length === 1 && first.type === "text" ? first.text : own;
  output.message({ role: "user", content: plain }, place);
}
