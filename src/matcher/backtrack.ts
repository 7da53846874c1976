// The backtracking engine: exact, captures and all, but exponential in the worst case, and therefore on a budget.
//
// On the beginning of a text it has three answers. A path that would have to read what has not come yet is left
// open. A path that crosses a guard which only the next character decides goes on as uncertain: it can fail, but
// reaching the end it is open too. A match is certain if some path reaches the end with nothing open.

import { type CharSet, includes, LINE_ENDS, WORD, WORD_FOLDED } from "./charset.ts";
import { foldedSet } from "./host-sets.ts";
import { isHigh, isLow, pointOf } from "./lane.ts";
import * as op from "./program.ts";

/** Never matches here, whatever follows. */
export const DEAD = 0;
/** Matches here, whatever follows. */
export const CERTAIN = 1;
/** What follows decides. */
export const OPEN = 2;

/** Steps that may still be taken. Spending more throws `BudgetSpent`. */
export interface Budget {
  stepsLeft: number;
}

export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

export interface Input {
  readonly text: string;
  /** Nothing follows the text. */
  readonly ended: boolean;
}

export type Attempt =
  | { readonly verdict: typeof CERTAIN; readonly end: number }
  | { readonly verdict: typeof DEAD | typeof OPEN };

interface Machine {
  readonly program: op.Program;
  readonly budget: Budget;
  readonly text: string;
  /** Units that can be read. A last high surrogate cannot, as long as its partner may follow. */
  readonly length: number;
  readonly ended: boolean;
  readonly captures: Int32Array;
  readonly registers: Int32Array;
  /** Some path ended in what has not come yet. */
  open: boolean;
}

/** Tries to match at offset `start`, which must not be inside a surrogate pair if the program is over code points. */
export function matchAt(program: op.Program, input: Input, start: number, budget: Budget): Attempt {
  const machine: Machine = {
    program,
    budget,
    text: input.text,
    length: readableLength(program, input),
    ended: input.ended,
    captures: new Int32Array(2 * program.captures).fill(-1),
    registers: new Int32Array(program.registers),
    open: false,
  };
  const end = run(machine, 0, start);
  if (end !== FAILED) return { verdict: CERTAIN, end };
  return { verdict: machine.open ? OPEN : DEAD };
}

/** The offsets at which a match can begin: from `from` to `readableLength`, but not inside a surrogate pair. */
export function isStart(program: op.Program, text: string, offset: number): boolean {
  if (!program.overPoints || offset === 0 || offset >= text.length) return true;
  return !(isLow(text.charCodeAt(offset)) && isHigh(text.charCodeAt(offset - 1)));
}

export function readableLength(program: op.Program, { text, ended }: Input): number {
  const cut = !ended && program.overPoints && isHigh(text.charCodeAt(text.length - 1));
  return cut ? text.length - 1 : text.length;
}

const FAILED = -1;
/** A guard that the next character decides. */
const UNDECIDED = undefined;

/** Runs from instruction `pc` to a MATCH; gives the position there, or FAILED. */
function run(m: Machine, pc: number, position: number): number {
  const { code } = m.program;
  /** Choices not taken yet: instruction, position, whether uncertain, length of the trail. */
  const choices: number[] = [];
  /** What to undo: value, index, array. */
  const trail: Trail = [];
  let uncertain = false;
  for (;;) {
    if (--m.budget.stepsLeft < 0) throw new BudgetSpent("the step budget is spent");
    const instruction = code[pc++];
    if (instruction === undefined) throw new RangeError("the program has no end");
    let failed = false;
    switch (instruction.op) {
      case op.CHAR: {
        const moved = readChar(m, instruction, position);
        if (moved === FAILED) failed = true;
        else position = moved;
        break;
      }
      case op.SPLIT:
        choices.push(instruction.other, position, uncertain ? 1 : 0, trail.length);
        break;
      case op.JUMP:
        pc = instruction.to;
        break;
      case op.SAVE:
        write(trail, m.captures, instruction.slot, position);
        break;
      case op.EDGE:
      case op.WORD_EDGE: {
        const holds =
          instruction.op === op.EDGE
            ? atEdge(m, instruction, position)
            : atWordEdge(m, instruction, position);
        if (holds === UNDECIDED) uncertain = true;
        else failed = !holds;
        break;
      }
      case op.LOOK: {
        const found = look(m, trail, instruction, pc, position);
        pc = instruction.after;
        if (found === UNDECIDED) uncertain = true;
        else failed = !found;
        break;
      }
      case op.BACKREFERENCE: {
        const moved = readAgain(m, instruction, position);
        if (moved === FAILED) failed = true;
        else position = moved;
        break;
      }
      case op.LOOP_INIT:
        write(trail, m.registers, instruction.loop.countRegister, 0);
        break;
      case op.LOOP_TEST: {
        const { loop } = instruction;
        const count = m.registers[loop.countRegister] ?? 0;
        if (count < loop.min) break;
        if (count >= loop.max) pc = loop.exit;
        else {
          choices.push(loop.greedy ? loop.exit : pc, position, uncertain ? 1 : 0, trail.length);
          if (!loop.greedy) pc = loop.exit;
        }
        break;
      }
      case op.LOOP_BODY:
        write(trail, m.registers, instruction.loop.startRegister, position);
        clearCaptures(m, trail, instruction.loop);
        break;
      case op.LOOP_END:
        failed = !endTurn(m, trail, instruction.loop, position);
        pc = instruction.loop.test;
        break;
      case op.MATCH:
        if (!uncertain) return position;
        m.open = true;
        failed = true;
    }
    if (!failed) continue;
    const trailLength = choices.pop();
    undo(trail, trailLength ?? 0);
    if (trailLength === undefined) return FAILED;
    uncertain = choices.pop() === 1;
    position = choices.pop() ?? 0;
    pc = choices.pop() ?? 0;
  }
}

type Trail = (number | Int32Array)[];

function write(trail: Trail, array: Int32Array, index: number, value: number): void {
  trail.push(array[index] ?? 0, index, array);
  array[index] = value;
}

function undo(trail: Trail, length: number): void {
  while (trail.length > length) {
    const array = trail.pop();
    const index = trail.pop();
    const value = trail.pop();
    if (typeof array === "object" && typeof index === "number" && typeof value === "number")
      array[index] = value;
  }
}

/** The position after a character of the set, or before it if `back`; FAILED if there is none. */
function readChar(m: Machine, { set, back }: { set: CharSet; back: boolean }, position: number): number {
  if (back) {
    if (position === 0) return FAILED;
    const unit = m.text.charCodeAt(position - 1);
    const before = position > 1 && m.program.overPoints && isLow(unit) ? m.text.charCodeAt(position - 2) : 0;
    if (isHigh(before)) return includes(set, pointOf(before, unit)) ? position - 2 : FAILED;
    return includes(set, unit) ? position - 1 : FAILED;
  }
  if (position >= m.length) {
    if (!m.ended) m.open = true;
    return FAILED;
  }
  const unit = m.text.charCodeAt(position);
  const after =
    position + 1 < m.length && m.program.overPoints && isHigh(unit) ? m.text.charCodeAt(position + 1) : 0;
  if (isLow(after)) return includes(set, pointOf(unit, after)) ? position + 2 : FAILED;
  return includes(set, unit) ? position + 1 : FAILED;
}

type Guard = boolean | typeof UNDECIDED;

function atEdge(
  m: Machine,
  { end, multiline }: { end: boolean; multiline: boolean },
  position: number,
): Guard {
  const breaks = (at: number) => multiline && includes(LINE_ENDS, m.text.charCodeAt(at));
  if (!end) return position === 0 || breaks(position - 1);
  if (position < m.length) return breaks(position);
  return m.ended ? true : UNDECIDED;
}

function atWordEdge(
  m: Machine,
  { negate, folded }: { negate: boolean; folded: boolean },
  position: number,
): Guard {
  if (position >= m.length && !m.ended) return UNDECIDED;
  const word = folded ? WORD_FOLDED : WORD;
  const left = position > 0 && includes(word, m.text.charCodeAt(position - 1));
  const right = position < m.length && includes(word, m.text.charCodeAt(position));
  return (left !== right) !== negate;
}

/**
 * Looks ahead or behind from `position`, by the program at `pc`. A positive look that holds leaves its captures.
 * Registers need no care: a loop sets its own when it is entered, and none is shared with the outside.
 */
function look(
  m: Machine,
  trail: Trail,
  { negate }: { negate: boolean },
  pc: number,
  position: number,
): Guard {
  const openBefore = m.open;
  const before = m.program.hasBackreference ? m.captures.slice() : undefined;
  m.open = false;
  const found = run(m, pc, position) !== FAILED;
  const open = m.open;
  m.open = openBefore;
  const after = before && m.captures.slice();
  if (before !== undefined) m.captures.set(before);
  if (negate) return found ? false : open ? UNDECIDED : true;
  if (open && m.program.hasBackreference) {
    // Another path may be the one that ECMAScript takes once more is known, and its captures with it.
    m.open = true;
    return false;
  }
  if (!found) return open ? UNDECIDED : false;
  after?.forEach((value, slot) => {
    if (value !== m.captures[slot]) write(trail, m.captures, slot, value);
  });
  return true;
}

/** Reads what a capture holds once more; a capture that holds nothing reads nothing. */
function readAgain(
  m: Machine,
  { captures, ignoreCase, back }: { captures: readonly number[]; ignoreCase: boolean; back: boolean },
  position: number,
): number {
  const set = captures.find(
    (capture) => (m.captures[2 * capture] ?? -1) >= 0 && (m.captures[2 * capture + 1] ?? -1) >= 0,
  );
  if (set === undefined) return position;
  const again = m.text.slice(m.captures[2 * set], m.captures[2 * set + 1]);
  const same = (a: string, b: string) => a === b || (ignoreCase && sameFolded(a, b, m.program.overPoints));
  if (back) {
    const from = position - again.length;
    return from >= 0 && same(again, m.text.slice(from, position)) ? from : FAILED;
  }
  const have = m.text.slice(position, Math.min(m.length, position + again.length));
  if (!same(again.slice(0, have.length), have)) return FAILED;
  if (have.length === again.length) return position + again.length;
  if (!m.ended) m.open = true;
  return FAILED;
}

function sameFolded(a: string, b: string, points: boolean): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; ) {
    const x = (points ? a.codePointAt(k) : a.charCodeAt(k)) ?? 0;
    const y = (points ? b.codePointAt(k) : b.charCodeAt(k)) ?? 0;
    if (x !== y && !includes(foldedSet(x, points), y)) return false;
    k += x > 0xffff ? 2 : 1;
  }
  return true;
}

function clearCaptures(m: Machine, trail: Trail, { firstCapture, endCapture }: op.Loop): void {
  for (let slot = 2 * firstCapture; slot < 2 * endCapture; slot++) {
    if (m.captures[slot] !== -1) write(trail, m.captures, slot, -1);
  }
}

/** Ends a turn of a loop; false if the turn was optional and read nothing, which ECMAScript does not count. */
function endTurn(m: Machine, trail: Trail, loop: op.Loop, position: number): boolean {
  const count = (m.registers[loop.countRegister] ?? 0) + 1;
  if (count > loop.min && position === m.registers[loop.startRegister]) return false;
  write(trail, m.registers, loop.countRegister, count);
  return true;
}
