// From a pattern's tree to the program of the backtracking engine. It follows ECMAScript's semantics step by step,
// captures and backreferences included; repetitions are loops with counters, so that their size costs nothing.

import type { AST } from "@eslint-community/regexpp";
import type { CharSet } from "./charset.ts";
import { foldsWords, isLeaf, leafSet } from "./leaf.ts";
import { overPoints, type ParsedPattern, type PatternFlags, withModifiers } from "./pattern.ts";
import { childrenOf, readsText, someElement } from "./syntax.ts";

export const CHAR = 0;
export const SPLIT = 1;
export const JUMP = 2;
export const SAVE = 3;
export const EDGE = 4;
export const WORD_EDGE = 5;
export const LOOK = 6;
export const BACKREFERENCE = 7;
export const LOOP_INIT = 8;
export const LOOP_TEST = 9;
export const LOOP_BODY = 10;
export const LOOP_END = 11;
export const MATCH = 12;

/** A repetition. Its registers hold how often the body has matched and where its last turn began. */
export interface Loop {
  readonly min: number;
  readonly max: number;
  readonly greedy: boolean;
  readonly countRegister: number;
  readonly startRegister: number;
  /** Captures inside the body, which each turn begins without: from `firstCapture` up to, not with, `endCapture`. */
  readonly firstCapture: number;
  readonly endCapture: number;
  test: number;
  exit: number;
}

/** Tries the next instruction first, then `other`. */
interface Split {
  readonly op: typeof SPLIT;
  other: number;
}

interface Jump {
  readonly op: typeof JUMP;
  to: number;
}

/** The body follows, up to a MATCH; `after` is what comes after that. */
export interface Look {
  readonly op: typeof LOOK;
  readonly negate: boolean;
  after: number;
}

/** Instructions that hold or not where they stand, and read nothing. */
export type GuardInstruction =
  | { readonly op: typeof EDGE; readonly end: boolean; readonly multiline: boolean }
  | { readonly op: typeof WORD_EDGE; readonly negate: boolean; readonly folded: boolean }
  | Look;

/** Instructions go on at the next one unless they say where. `back`: to the left, inside a lookbehind. */
export type Instruction =
  | { readonly op: typeof CHAR; readonly set: CharSet; readonly back: boolean }
  | Split
  | Jump
  /** Slot 2n is where capture n begins, 2n + 1 where it ends. */
  | { readonly op: typeof SAVE; readonly slot: number }
  | GuardInstruction
  | {
      readonly op: typeof BACKREFERENCE;
      readonly captures: readonly number[];
      readonly ignoreCase: boolean;
      readonly back: boolean;
    }
  | { readonly op: typeof LOOP_INIT; readonly loop: Loop }
  | { readonly op: typeof LOOP_TEST; readonly loop: Loop }
  | { readonly op: typeof LOOP_BODY; readonly loop: Loop }
  | { readonly op: typeof LOOP_END; readonly loop: Loop }
  | { readonly op: typeof MATCH };

export interface Program {
  readonly code: readonly Instruction[];
  /** Number of captures, with the whole match as capture 0; without a backreference no other is kept. */
  readonly captures: number;
  readonly registers: number;
  readonly overPoints: boolean;
  readonly hasBackreference: boolean;
  /** It has a lookbehind, and may ask about any of the text before; otherwise about one character. */
  readonly looksBehind: boolean;
}

interface Compiler {
  readonly code: Instruction[];
  readonly captureOf: ReadonlyMap<AST.CapturingGroup, number>;
  registers: number;
}

/** How an element is read: under which flags, and in which direction. */
interface Reading {
  readonly flags: PatternFlags;
  readonly back: boolean;
}

/** Throws `PatternError` for what no engine here takes. */
export function compileProgram({ ast, flags }: ParsedPattern): Program {
  const captureOf = new Map<AST.CapturingGroup, number>();
  const hasBackreference = someElement(ast, ({ type }) => type === "Backreference");
  // Nobody else asks what a group has captured.
  if (hasBackreference) for (const alternative of ast.alternatives) numberCaptures(alternative, captureOf);
  const compiler: Compiler = { code: [], captureOf, registers: 0 };
  emitAlternatives(compiler, ast.alternatives, { flags, back: false });
  compiler.code.push({ op: MATCH });
  return {
    code: compiler.code,
    captures: captureOf.size + 1,
    registers: compiler.registers,
    overPoints: overPoints(flags),
    hasBackreference,
    looksBehind: someElement(ast, (element) => element.type === "Assertion" && element.kind === "lookbehind"),
  };
}

function numberCaptures(
  node: AST.Alternative | AST.Element,
  captureOf: Map<AST.CapturingGroup, number>,
): void {
  if (node.type === "CapturingGroup") captureOf.set(node, captureOf.size + 1);
  const children = node.type === "Alternative" ? node.elements : childrenOf(node);
  for (const child of children) numberCaptures(child, captureOf);
}

function emitAlternatives(c: Compiler, alternatives: readonly AST.Alternative[], reading: Reading): void {
  const jumps: { to: number }[] = [];
  alternatives.forEach(({ elements }, index) => {
    const last = index === alternatives.length - 1;
    const split: Split = { op: SPLIT, other: 0 };
    if (!last) c.code.push(split);
    for (const element of reading.back ? elements.toReversed() : elements) emit(c, element, reading);
    if (last) return;
    const jump: Jump = { op: JUMP, to: 0 };
    c.code.push(jump);
    jumps.push(jump);
    split.other = c.code.length;
  });
  for (const jump of jumps) jump.to = c.code.length;
}

function emit(c: Compiler, element: AST.Element, reading: Reading): void {
  const { flags, back } = reading;
  if (isLeaf(element)) {
    c.code.push({ op: CHAR, set: leafSet(element, flags), back });
    return;
  }
  switch (element.type) {
    case "Group":
      emitAlternatives(c, element.alternatives, { back, flags: withModifiers(flags, element.modifiers) });
      return;
    case "CapturingGroup": {
      const capture = c.captureOf.get(element);
      if (capture !== undefined) c.code.push({ op: SAVE, slot: 2 * capture + (back ? 1 : 0) });
      emitAlternatives(c, element.alternatives, reading);
      if (capture !== undefined) c.code.push({ op: SAVE, slot: 2 * capture + (back ? 0 : 1) });
      return;
    }
    case "Assertion":
      emitAssertion(c, element, flags);
      return;
    case "Quantifier":
      emitLoop(c, element, reading);
      return;
    case "Backreference": {
      const groups = Array.isArray(element.resolved) ? element.resolved : [element.resolved];
      const captures = groups.map((group) => c.captureOf.get(group) ?? 0);
      c.code.push({ op: BACKREFERENCE, captures, ignoreCase: flags.ignoreCase, back });
    }
  }
}

function emitAssertion(c: Compiler, assertion: AST.Assertion, flags: PatternFlags): void {
  switch (assertion.kind) {
    case "start":
    case "end":
      c.code.push({ op: EDGE, end: assertion.kind === "end", multiline: flags.multiline });
      return;
    case "word":
      c.code.push({ op: WORD_EDGE, negate: assertion.negate, folded: foldsWords(flags) });
      return;
    case "lookahead":
    case "lookbehind": {
      const look: Look = { op: LOOK, negate: assertion.negate, after: 0 };
      c.code.push(look);
      emitAlternatives(c, assertion.alternatives, { flags, back: assertion.kind === "lookbehind" });
      c.code.push({ op: MATCH });
      look.after = c.code.length;
    }
  }
}

function emitLoop(c: Compiler, quantifier: AST.Quantifier, reading: Reading): void {
  const captures: number[] = [];
  collectCaptures(c, quantifier.element, captures);
  // What reads nothing can as well be done once as many times.
  const most = someElement(quantifier.element, readsText) ? Infinity : 1;
  const loop: Loop = {
    min: Math.min(quantifier.min, most),
    max: Math.min(quantifier.max, most),
    greedy: quantifier.greedy,
    countRegister: c.registers++,
    startRegister: c.registers++,
    firstCapture: captures[0] ?? 0,
    endCapture: captures[0] === undefined ? 0 : (captures.at(-1) ?? 0) + 1,
    test: 0,
    exit: 0,
  };
  c.code.push({ op: LOOP_INIT, loop });
  loop.test = c.code.push({ op: LOOP_TEST, loop }) - 1;
  c.code.push({ op: LOOP_BODY, loop });
  emit(c, quantifier.element, reading);
  loop.exit = c.code.push({ op: LOOP_END, loop });
}

/** The captures inside an element, in ascending order. */
function collectCaptures(c: Compiler, node: AST.Alternative | AST.Element, into: number[]): void {
  const capture = node.type === "CapturingGroup" ? c.captureOf.get(node) : undefined;
  if (capture !== undefined) into.push(capture);
  const children = node.type === "Alternative" ? node.elements : childrenOf(node);
  for (const child of children) collectCaptures(c, child, into);
}
