// A source's bytes as JSON objects with their lines. Objects may stand one a line, several on a line, or spread over
// lines; what is none of these is a problem, and reading goes on at the next line. No whole object is ever skipped.

import { isObject, type JsonObject, parseJson } from "../../base/json.ts";
import { byteLines } from "../../base/lines.ts";
import { plural } from "../../base/text.ts";
import type { SessionProblem } from "../entry.ts";
import { isTooDeep, tooDeep } from "../line-problems.ts";
import { type ProblemCode, problemAt } from "../problems.ts";
import { salvageDocument, salvageLine } from "./salvage.ts";
import { createSpreadObject, type SpreadObject } from "./spread.ts";

/** One object of a source. `line` is where it starts, from 1; `text` is its source text, as far as one was at hand. */
export interface SourceValue {
  readonly value: JsonObject;
  readonly line: number;
  readonly text: string;
}

export type SourceItem =
  | { readonly kind: "value"; readonly source: SourceValue }
  | { readonly kind: "problem"; readonly problem: SessionProblem };

/** `documentMember`: a broken object that has this array is a document; what can be read of it is taken. */
export interface ValueReading {
  readonly documentMember: string | undefined;
}

/** The objects of a source, in order. */
export async function* readValues(
  chunks: AsyncIterable<Uint8Array>,
  reading: ValueReading,
): AsyncGenerator<SourceItem, void> {
  const decoder = new TextDecoder();
  const state: State = { line: 0, ended: true, spread: undefined, shapes: new Set(), reading };
  for await (const line of byteLines(chunks)) {
    state.line = line.number;
    state.ended = line.ended;
    if (isTooDeep(line.bytes)) yield { kind: "problem", problem: tooDeep(line.number) };
    else yield* takeLine(state, decoder.decode(line.bytes));
  }
  yield* breakSpread(state, true);
}

interface State {
  line: number;
  /** Whether the line had its newline. */
  ended: boolean;
  spread: SpreadObject | undefined;
  /** How the file's records begin: the first two names of each. */
  readonly shapes: Set<string>;
  readonly reading: ValueReading;
}

function* takeLine(state: State, raw: string): Generator<SourceItem, void> {
  const text = yield* withoutNul(state, raw);
  if (text.trim() === "") return;
  if (state.spread !== undefined) {
    if (!text.startsWith("{")) return yield* continueSpread(state, state.spread, text);
    yield* breakSpread(state, false);
  }
  const value = parseJson(text);
  if (isObject(value)) {
    if (state.shapes.size < MAX_SHAPES) state.shapes.add(shapeOf(value));
    return yield yieldValue(value, state.line, text);
  }
  if (value !== undefined) return yield notAnObject(state.line);
  yield* takeBrokenLine(state, text);
}

const MAX_SHAPES = 100;

function shapeOf(object: JsonObject): string {
  return Object.keys(object).slice(0, 2).join(" ");
}

function* withoutNul(state: State, raw: string): Generator<SourceItem, string> {
  if (!raw.includes("\0")) return raw;
  yield problem(state.line, "nul-bytes", "the line holds NUL bytes");
  return raw.replaceAll("\0", "");
}

/** A line that is no JSON value: the beginning of an object over several lines, several objects, or damage. */
function* takeBrokenLine(state: State, text: string): Generator<SourceItem, void> {
  const unlimited = state.reading.documentMember !== undefined;
  const spread = text.trimStart().startsWith("{")
    ? createSpreadObject(text, state.line, unlimited)
    : undefined;
  if (spread?.state === "open") {
    state.spread = spread;
    return;
  }
  yield* takeBroken(state, { text, line: state.line, torn: !state.ended });
}

function* continueSpread(state: State, spread: SpreadObject, text: string): Generator<SourceItem, void> {
  spread.add(text);
  if (spread.state === "open") return;
  const value = spread.state === "closed" ? parseJson(spread.text()) : undefined;
  if (!isObject(value)) return yield* breakSpread(state, false);
  state.spread = undefined;
  yield yieldValue(value, spread.line, spread.text());
}

/** Gives up an object over several lines: whole objects among its lines are taken. */
function* breakSpread(state: State, atEnd: boolean): Generator<SourceItem, void> {
  const spread = state.spread;
  if (spread === undefined) return;
  state.spread = undefined;
  const lines = spread.lines();
  if (state.reading.documentMember !== undefined || lines.length === 1) {
    return yield* takeBroken(state, { text: spread.text(), line: spread.line, torn: atEnd });
  }
  for (const [index, text] of lines.entries()) {
    const value = parseJson(text);
    const line = spread.line + index;
    if (isObject(value)) yield yieldValue(value, line, text);
    else yield* takeBroken(state, { text, line, torn: atEnd && index === lines.length - 1 });
  }
}

interface Broken {
  readonly text: string;
  readonly line: number;
  readonly torn: boolean;
}

function* takeBroken(state: State, broken: Broken): Generator<SourceItem, void> {
  const member = state.reading.documentMember;
  const isDocument = member !== undefined && broken.text.includes(`"${member}"`);
  const salvaged = isDocument
    ? { objects: salvageDocument(broken.text), whole: false }
    : salvageLine(broken.text, (object) => state.shapes.has(shapeOf(object)));
  yield brokenProblem(broken, salvaged.objects.length, salvaged.whole);
  for (const value of salvaged.objects) yield yieldValue(value, broken.line, broken.text);
}

function brokenProblem(broken: Broken, saved: number, whole: boolean): SourceItem {
  if (whole) return problem(broken.line, "several-objects", `${saved} objects stand on one line`);
  const kept =
    saved === 0 ? "" : `; ${plural(saved, "whole object")} in it ${saved === 1 ? "was" : "were"} read`;
  if (broken.torn) return problem(broken.line, "torn-line", `the last object is cut off${kept}`);
  return problem(broken.line, "not-json", `the line is not JSON${kept}`);
}

function notAnObject(line: number): SourceItem {
  return problem(line, "not-object", "the line is JSON, but not an object");
}

function problem(line: number, code: ProblemCode, text: string): SourceItem {
  return { kind: "problem", problem: problemAt(line, code, text) };
}

function yieldValue(value: JsonObject, line: number, text: string): SourceItem {
  return { kind: "value", source: { value, line, text } };
}
