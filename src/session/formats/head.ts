// The first bytes of a file as objects: what recognition looks at. Works on any cut of any file. Damage is skipped, but
// prose that quotes JSON is not taken for a session.

import { isObject, type JsonObject } from "../../base/json.ts";
import type { Head } from "./format.ts";
import { parsePartialJson } from "./partial-json.ts";

/** As many bytes of a file's beginning as recognition wants; fewer if the file is smaller. */
export const HEAD_BYTES = 262_144;

const MAX_OBJECTS = 200;
const MAX_BROKEN = 200;

/** The objects at the beginning of `bytes` that begin a line; the last may be cut, and the first may be broken. */
export function readHead(bytes: Uint8Array): Head {
  const text = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)).replaceAll("\0", "");
  if (!looksLikeJsonLines(text)) return [];
  const objects: JsonObject[] = [];
  let broken = 0;
  let at = nextStart(text, 0);
  while (at >= 0 && objects.length < MAX_OBJECTS && broken < MAX_BROKEN) {
    const read = parsePartialJson(text, at);
    const usable = read.complete || read.end >= text.length || broken + objects.length === 0;
    if (usable && isObject(read.value) && Object.keys(read.value).length > 0) objects.push(read.value);
    if (!read.complete) broken += 1;
    at = nextStart(text, read.complete ? read.end : at + 1);
  }
  return objects;
}

const LINES_LOOKED_AT = 20;

/** How many lines of something else may come before the first object: what a program said before its output. */
const PREAMBLE = 3;

/** A file that begins with an object, after a few words or not, or most of whose first lines do. */
function looksLikeJsonLines(text: string): boolean {
  const lines = text.split("\n", LINES_LOOKED_AT * 4).filter((line) => line.trim() !== "");
  if (lines.slice(0, PREAMBLE + 1).some((line) => line.trimStart().startsWith("{"))) return true;
  const first = lines.slice(0, LINES_LOOKED_AT);
  return first.filter((line) => line.startsWith("{")).length * 2 >= first.length;
}

/** Where the next object begins: after white space at a line's start, or, behind the first, right after an object. */
function nextStart(text: string, from: number): number {
  const lowest = Math.max(0, from - 1);
  for (let open = text.indexOf("{", from); open >= 0; open = text.indexOf("{", open + 1)) {
    let before = open - 1;
    while (before >= lowest && isBlank(text.charAt(before))) before -= 1;
    const char = before < lowest ? "" : text.charAt(before);
    if (char === "\n" || (from === 0 ? char === "" : char === "}")) return open;
  }
  return -1;
}

/** White space but a line feed, and control characters that damage leaves. */
function isBlank(char: string): boolean {
  return char !== "\n" && (char <= " " || /\s/.test(char));
}
