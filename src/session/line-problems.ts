// What a line that is no entry is: a title line, or a problem with a code.

import type { JsonObject } from "../base/json.ts";
import type { SessionProblem } from "./entry.ts";
import { problemAt } from "./problems.ts";
import { MAX_DEPTH, newLineScan, scanLine } from "./scan.ts";

/** oh-my-pi's line before the header: `{"type":"title","v":1,"title":…,"pad":…}`. */
export function isTitle(value: JsonObject): boolean {
  return value["type"] === "title" && value["id"] === undefined && typeof value["title"] === "string";
}

export interface BadLine {
  readonly bytes: Uint8Array;
  /** What `JSON.parse` made of it; undefined if it is not JSON. */
  readonly value: unknown;
  readonly line: number;
  /** Whether a newline ended it. */
  readonly ended: boolean;
}

const SHOWN = 40;

/** Names what is wrong with a line that is not a JSON object, or nested too deeply. */
export function classifyLine(bad: BadLine): SessionProblem {
  const { bytes, value, line, ended } = bad;
  if (isTooDeep(bytes)) return tooDeep(line);
  if (value !== undefined) return problemAt(line, "not-object", `the line is JSON, but ${kindOf(value)}`);
  if (scanLine(bytes, 0, bytes.length, newLineScan()) === "torn" || !ended)
    return problemAt(line, "torn-line", `the line ends in the middle, after ${bytes.length} bytes`);
  const begin = new TextDecoder().decode(bytes.subarray(0, SHOWN));
  return problemAt(line, "not-json", `the line is not JSON (it begins ${JSON.stringify(begin)})`);
}

/** Whether a line's values are nested too deeply to be read. */
export function isTooDeep(bytes: Uint8Array): boolean {
  // A line needs two bytes a level.
  return bytes.length > 2 * MAX_DEPTH && scanLine(bytes, 0, bytes.length, newLineScan()) === "deep";
}

export function tooDeep(line: number): SessionProblem {
  return problemAt(line, "too-deep", `the line's values are nested deeper than ${MAX_DEPTH} levels`);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
