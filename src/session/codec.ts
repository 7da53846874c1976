// One entry and its line, both ways. `encodeEntry` is the only place that makes lines; a line has no newline inside.

import { booleanAt, type JsonObject, numberAt, stringAt, stringsAt } from "../base/json.ts";
import { jsonText } from "../base/well-formed.ts";
import { decodeContent, decodeMessage } from "./decode-message.ts";
import type { Entry, SessionHeader, UnknownEntry } from "./entry.ts";

/** What the index knows of an entry before its line is decoded. */
export interface EntryPlace {
  readonly id: string;
  readonly parentId: string | null;
  /** Stands in for a missing or bad timestamp. */
  readonly timestamp: string;
}

/** An entry, and the member that it lacked, if that made it an `UnknownEntry`. */
export interface DecodedEntry {
  readonly entry: Entry;
  readonly missing?: string;
}

/**
 * Decodes an entry's object. `place` wins over the object's own id and parent. An entry of an unknown type, or one that
 * lacks what its type needs, becomes an `UnknownEntry` that holds the whole object.
 */
export function decodeEntry(object: JsonObject, place: EntryPlace): DecodedEntry {
  const timestamp = validTimestamp(object) ?? place.timestamp;
  const base = { ...object, id: place.id, parentId: place.parentId, timestamp };
  const made = decodeByType(object, base);
  if (made === undefined) return { entry: unknownEntry(object, base) };
  return "missing" in made ? { entry: unknownEntry(object, base), missing: made.missing } : made;
}

type Base = EntryPlace & { readonly [key: string]: unknown };
type Made = { readonly entry: Entry } | { readonly missing: string } | undefined;

function decodeByType(object: JsonObject, base: Base): Made {
  const type = stringAt(object, "type");
  switch (type) {
    case "message": {
      const message = decodeMessage(object["message"], base.timestamp);
      return "missing" in message ? message : { entry: { ...base, type, message: message.value } };
    }
    case "custom_message":
      return decodeCustomMessage(object, base);
    case "custom": {
      const customType = stringAt(object, "customType");
      return customType === undefined ? { missing: "customType" } : { entry: { ...base, type, customType } };
    }
    case "compaction":
      return decodeCompaction(object, base);
    case "branch_summary": {
      const summary = stringAt(object, "summary");
      if (summary === undefined) return { missing: "summary" };
      return { entry: { ...base, type, summary, fromId: stringAt(object, "fromId") ?? "" } };
    }
    case "ttsr_injection": {
      if (!Array.isArray(object["injectedRules"])) return { missing: "injectedRules" };
      return { entry: { ...base, type, injectedRules: stringsAt(object, "injectedRules") } };
    }
    case "model_change":
      return decodeModelChange(object, base);
    default:
      return decodeSmall(type, object, base);
  }
}

function decodeSmall(type: string | undefined, object: JsonObject, base: Base): Made {
  switch (type) {
    case "thinking_level_change": {
      const thinkingLevel = stringAt(object, "thinkingLevel");
      return thinkingLevel === undefined
        ? { missing: "thinkingLevel" }
        : { entry: { ...base, type, thinkingLevel } };
    }
    case "label": {
      const targetId = stringAt(object, "targetId");
      if (targetId === undefined) return { missing: "targetId" };
      const { label, ...rest } = base;
      return { entry: { ...rest, type, targetId, ...(typeof label === "string" ? { label } : {}) } };
    }
    case "session_info":
      return { entry: { ...base, type, name: stringAt(object, "name") ?? "" } };
    default:
      return undefined;
  }
}

function decodeCustomMessage(object: JsonObject, base: Base): Made {
  const content = decodeContent(object["content"]);
  if (content === undefined) return { missing: "content" };
  return {
    entry: {
      ...base,
      type: "custom_message",
      customType: stringAt(object, "customType") ?? "",
      content,
      display: booleanAt(object, "display") ?? true,
    },
  };
}

function decodeCompaction(object: JsonObject, base: Base): Made {
  const summary = stringAt(object, "summary");
  if (summary === undefined) return { missing: "summary" };
  return {
    entry: {
      ...base,
      type: "compaction",
      summary,
      firstKeptEntryId: stringAt(object, "firstKeptEntryId") ?? "",
      tokensBefore: numberAt(object, "tokensBefore") ?? 0,
    },
  };
}

function decodeModelChange(object: JsonObject, base: Base): Made {
  const provider = stringAt(object, "provider");
  const modelId = stringAt(object, "modelId");
  if (provider !== undefined && modelId !== undefined)
    return { entry: { ...base, type: "model_change", provider, modelId } };
  const model = stringAt(object, "model");
  const slash = model?.indexOf("/") ?? -1;
  if (model === undefined || slash < 0) return { missing: "provider and modelId" };
  return {
    entry: {
      ...base,
      type: "model_change",
      provider: model.slice(0, slash),
      modelId: model.slice(slash + 1),
    },
  };
}

function unknownEntry(object: JsonObject, base: Base): UnknownEntry {
  const { id, parentId, timestamp } = base;
  return {
    type: "unknown",
    id,
    parentId,
    timestamp,
    originalType: stringAt(object, "type") ?? "",
    raw: object,
  };
}

/** The object's `timestamp`, if it is a time that can be read. */
export function validTimestamp(object: JsonObject): string | undefined {
  const text = stringAt(object, "timestamp");
  return text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** The line of an entry, without its newline. Type, id and parent come first, so that readers find them at once. */
export function encodeEntry(entry: Entry): string {
  if (entry.type === "unknown")
    return jsonText({ ...entry.raw, id: entry.id, parentId: entry.parentId, timestamp: entry.timestamp });
  const { type, id, parentId, timestamp, ...rest } = entry;
  return jsonText({ type, id, parentId, timestamp, ...rest });
}

/** The line of a header, without its newline. */
export function encodeHeader(header: SessionHeader): string {
  const { type, version, id, timestamp, cwd, ...rest } = header;
  return jsonText({ type, version, id, timestamp, cwd, ...rest });
}
