// What can be saved from text that is not one JSON value: objects one after another on a line, objects fused to a torn
// one before them, a document that breaks in the middle. Work is bounded by a constant budget beyond the first pass.

import { isObject, type JsonObject } from "../../base/json.ts";
import { parsePartialJson } from "./partial-json.ts";

/** How many characters may be looked at again before the rest is given up. */
const REREAD_BUDGET = 67_108_864;

export interface Salvaged {
  readonly objects: readonly JsonObject[];
  /** True if the objects and white space were all there was. */
  readonly whole: boolean;
}

/**
 * The objects of a line, from left to right. Behind a torn object, only records that fill the line to its end are taken:
 * what lies inside the torn one is a part of it. `isRecord` says whether an object looks like one of the file's records.
 */
export function salvageLine(text: string, isRecord: (object: JsonObject) => boolean): Salvaged {
  const objects: JsonObject[] = [];
  let whole = true;
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("{", at);
    if (text.slice(at, open < 0 ? text.length : open).trim() !== "") whole = false;
    if (open < 0) break;
    const read = parsePartialJson(text, open);
    if (!read.complete || !isObject(read.value)) {
      return { objects: [...objects, ...fusedObjects(text, open + 1, isRecord)], whole: false };
    }
    objects.push(read.value);
    at = read.end;
  }
  return { objects, whole };
}

/** The objects that fill the text from some point after `start` to its end. */
function fusedObjects(
  text: string,
  start: number,
  isRecord: (object: JsonObject) => boolean,
): readonly JsonObject[] {
  let budget = REREAD_BUDGET;
  for (let at = text.indexOf('{"', start); at >= 0 && budget > 0; at = text.indexOf('{"', at + 1)) {
    const objects: JsonObject[] = [];
    let end = at;
    for (;;) {
      const read = parsePartialJson(text, end);
      budget -= read.end - end;
      if (!read.complete || !isObject(read.value) || !isRecord(read.value)) break;
      objects.push(read.value);
      end = read.end;
      if (text.slice(end).trim() === "") return objects;
      if (text[end] !== "{") break;
    }
  }
  return [];
}

/** A document that broke: what could be read of it, and the whole objects with members behind the break. */
export function salvageDocument(text: string): readonly JsonObject[] {
  const open = text.indexOf("{");
  if (open < 0) return [];
  const document = parsePartialJson(text, open);
  const objects = isObject(document.value) ? [document.value] : [];
  let budget = REREAD_BUDGET;
  let at = text.indexOf("{", document.end);
  while (at >= 0 && budget > 0) {
    const read = parsePartialJson(text, at);
    budget -= read.end - at;
    const taken = read.complete && isObject(read.value) && Object.keys(read.value).length > 0;
    if (taken && isObject(read.value)) objects.push(read.value);
    at = text.indexOf("{", taken ? read.end : at + 1);
  }
  return objects;
}
