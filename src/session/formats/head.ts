// The first bytes of a file as objects: what recognition looks at. Works on any cut of any file; garbage is skipped.

import { isObject, type JsonObject } from "../../base/json.ts";
import type { Head } from "./format.ts";
import { parsePartialJson } from "./partial-json.ts";

/** As many bytes of a file's beginning as recognition wants; fewer if the file is smaller. */
export const HEAD_BYTES = 262_144;

const MAX_OBJECTS = 200;
const MAX_BROKEN = 200;

/** The objects at the beginning of `bytes`, one a line or spread over lines; the last may be cut. */
export function readHead(bytes: Uint8Array): Head {
  const text = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)).replaceAll("\0", "");
  const objects: JsonObject[] = [];
  let broken = 0;
  let at = text.indexOf("{");
  while (at >= 0 && objects.length < MAX_OBJECTS && broken < MAX_BROKEN) {
    const read = parsePartialJson(text, at);
    if (isObject(read.value) && Object.keys(read.value).length > 0) objects.push(read.value);
    if (read.complete) {
      at = text.indexOf("{", read.end);
      continue;
    }
    broken += 1;
    const newline = text.indexOf("\n", at);
    at = newline < 0 ? -1 : text.indexOf("{", newline);
  }
  return objects;
}
