// The backtracking engine: exact, captures and all, but exponential in the worst case, and therefore on a budget.
//
// On the beginning of a text it has three answers. A path that would have to read what has not come yet is left
// open. A path that crosses a guard which only the next character decides goes on as uncertain: it can fail, but
// reaching the end it is open too. A match is certain if some path reaches the end with nothing open.

import { type Input, readableEnd } from "./input.ts";
import * as op from "./program.ts";
import { atEdge, atWordEdge, FAILED, type Guard, type Run, readAgain, readChar, UNDECIDED } from "./reads.ts";

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

export type Attempt =
  | { readonly verdict: typeof CERTAIN; readonly end: number }
  | { readonly verdict: typeof DEAD | typeof OPEN };

/** Tries to match at offset `start`, which must not be inside a surrogate pair if the program is over code points. */
export function matchAt(program: op.Program, input: Input, start: number, budget: Budget): Attempt {
  const m: Run = {
    program,
    budget,
    text: input.text,
    base: input.base ?? 0,
    end: readableEnd(program.overPoints, input),
    ended: input.ended,
    captures: new Int32Array(2 * program.captures).fill(-1),
    registers: new Int32Array(program.registers),
    open: false,
  };
  const end = run(m, 0, start);
  if (end !== FAILED) return { verdict: CERTAIN, end };
  return { verdict: m.open ? OPEN : DEAD };
}

/** Runs from instruction `pc` to a MATCH; gives the position there, or FAILED. */
function run(m: Run, pc: number, position: number): number {
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
      case op.CHAR:
      case op.BACKREFERENCE: {
        const moved =
          instruction.op === op.CHAR
            ? readChar(m, instruction, position)
            : readAgain(m, instruction, position);
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
      case op.WORD_EDGE:
      case op.LOOK: {
        const holds = guardHolds(m, trail, { guard: instruction, pc, position });
        if (holds === UNDECIDED) uncertain = true;
        else failed = !holds;
        if (instruction.op === op.LOOK) pc = instruction.after;
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

/** A guard met at a position; a look's body is at `pc`. */
interface Meeting<T extends op.GuardInstruction = op.GuardInstruction> {
  readonly guard: T;
  readonly pc: number;
  readonly position: number;
}

function guardHolds(m: Run, trail: Trail, { guard, pc, position }: Meeting): Guard {
  switch (guard.op) {
    case op.EDGE:
      return atEdge(m, guard, position);
    case op.WORD_EDGE:
      return atWordEdge(m, guard, position);
    case op.LOOK:
      return look(m, trail, { guard, pc, position });
  }
}

/**
 * Looks ahead or behind. A positive look that holds leaves its captures. Registers need no care: a loop sets its own
 * when it is entered, and none is shared with the outside.
 */
function look(m: Run, trail: Trail, { guard: { negate }, pc, position }: Meeting<op.Look>): Guard {
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

function clearCaptures(m: Run, trail: Trail, { firstCapture, endCapture }: op.Loop): void {
  for (let slot = 2 * firstCapture; slot < 2 * endCapture; slot++) {
    if (m.captures[slot] !== -1) write(trail, m.captures, slot, -1);
  }
}

/** Ends a turn of a loop; false if the turn was optional and read nothing, which ECMAScript does not count. */
function endTurn(m: Run, trail: Trail, loop: op.Loop, position: number): boolean {
  const count = (m.registers[loop.countRegister] ?? 0) + 1;
  if (count > loop.min && position === m.registers[loop.startRegister]) return false;
  write(trail, m.registers, loop.countRegister, count);
  return true;
}
