// Where threads stand without reading another character. What is decided is followed at once; a guard that needs
// the next character keeps its thread waiting, unless nothing behind it can live.

import * as nfa from "./nfa.ts";
import { DEAD, SATISFIED, type ThreadStore } from "./thread-store.ts";

/** Whether a lookbehind holds at a place; OPEN: the next character decides. */
export const FALSE = 0;
export const TRUE = 1;
export const OPEN = 2;

/** Between two characters: the kind of each neighbour (`right` may be UNKNOWN), and which lookbehinds hold. */
export interface Place {
  /** Places that are alike have one number in one simulation; -1 while a place is worked out. */
  readonly id: number;
  readonly left: number;
  readonly right: number;
  readonly lookbehinds: Uint8Array;
  /** Sets of threads with which lookahead bodies begin here, by their first node; filled as needed. */
  readonly bodies: Map<number, number>;
}

/**
 * Follows threads to nodes that read a character, that accept, that count, or that wait. At the end of the text
 * (`right` is EDGE) nothing waits and no lookahead stays open.
 */
export function closure(store: ThreadStore, threads: ArrayLike<number>, place: Place): number[] {
  const { work: meter } = store;
  const { op, next, arg, negate } = store.nfa;
  const seen = takeMarks();
  const work: number[] = [];
  for (let k = 0; k < threads.length; k++) work.push(threads[k] ?? 0);
  const stopped: number[] = [];
  for (let thread = work.pop(); thread !== undefined; thread = work.pop()) {
    if (!seen.add(thread)) continue;
    const node = store.nodeOf(thread);
    meter.spend(node);
    const onward = next[node] ?? 0;
    const operand = arg[node] ?? 0;
    switch (op[node]) {
      case nfa.SPLIT:
        work.push(moved(store, thread, operand), moved(store, thread, onward));
        break;
      case nfa.ASSERT: {
        const holds = guardHolds(operand, place);
        if (holds === TRUE) work.push(moved(store, thread, onward));
        else if (holds === OPEN && canLive(store, onward, place)) stopped.push(thread);
        break;
      }
      case nfa.BEHIND: {
        const holds = place.lookbehinds[operand] ?? FALSE;
        if (holds === OPEN && canLive(store, onward, place)) stopped.push(thread);
        else if (holds + (negate[node] ?? 0) === 1) work.push(moved(store, thread, onward));
        break;
      }
      case nfa.AHEAD: {
        const beyond = crossLookahead(store, thread, place);
        if (beyond !== undefined) work.push(beyond);
        break;
      }
      case nfa.FAIL:
        break;
      default:
        stopped.push(thread);
    }
  }
  giveMarks(seen);
  return stopped;
}

function moved(store: ThreadStore, thread: number, node: number): number {
  return thread < store.freeBelow ? node : store.threadAt(node, store.obligationOf(thread));
}

/** The thread behind a lookahead, owing its body if that is open; undefined if the lookahead fails here. */
function crossLookahead(store: ThreadStore, thread: number, place: Place): number | undefined {
  const node = store.nodeOf(thread);
  const negate = store.nfa.negate[node] === 1;
  const onward = store.nfa.next[node] ?? 0;
  const body = bodyAt(store, store.nfa.arg[node] ?? 0, place);
  if (body === SATISFIED || body === DEAD || place.right === nfa.EDGE) {
    return (body === SATISFIED) === negate ? undefined : moved(store, thread, onward);
  }
  return store.threadAt(onward, store.oblige(store.obligationOf(thread), body, negate));
}

function bodyAt(store: ThreadStore, start: number, place: Place): number {
  const known = place.bodies.get(start);
  if (known !== undefined) return known;
  const body = store.setOf(closure(store, [start], place));
  place.bodies.set(start, body);
  return body;
}

/** Whether a guard holds between the two neighbours: FALSE, TRUE or OPEN. */
function guardHolds(guard: number, { left, right }: Place): number {
  switch (guard) {
    case nfa.TEXT_START:
      return left & nfa.EDGE ? TRUE : FALSE;
    case nfa.LINE_START:
      return left & (nfa.EDGE | nfa.LINE_BREAK) ? TRUE : FALSE;
  }
  if (right === nfa.UNKNOWN) return OPEN;
  switch (guard) {
    case nfa.TEXT_END:
      return right & nfa.EDGE ? TRUE : FALSE;
    case nfa.LINE_END:
      return right & (nfa.EDGE | nfa.LINE_BREAK) ? TRUE : FALSE;
    default: {
      const folded = guard === nfa.FOLDED_WORD_EDGE || guard === nfa.NO_FOLDED_WORD_EDGE;
      const kind = folded ? nfa.FOLDED_WORD_CHAR : nfa.WORD_CHAR;
      const edge = ((left ^ right) & kind) !== 0;
      const wanted = guard === nfa.WORD_EDGE || guard === nfa.FOLDED_WORD_EDGE;
      return edge === wanted ? TRUE : FALSE;
    }
  }
}

/**
 * Whether a thread that waits before `node` has anything to hope for, once what is decided here already is applied.
 * Without this a negative lookahead would take a lost cause for an open one, and fire a character late.
 */
function canLive(store: ThreadStore, node: number, place: Place): boolean {
  return (
    store.nfa.op[node] === nfa.CHAR || reaches(store, place, { from: node, goal: (op) => op !== nfa.FAIL })
  );
}

/** Whether a lookbehind's thread that waits before `node` could be complete at this very place. */
export function canEndHere(store: ThreadStore, node: number, place: Place): boolean {
  return reaches(store, place, { from: node, goal: (op) => op === nfa.ACCEPT_BEHIND });
}

function reaches(
  store: ThreadStore,
  place: Place,
  { from, goal }: { from: number; goal: (op: number) => boolean },
): boolean {
  const { op, next, arg, negate } = store.nfa;
  const seen = new Set<number>();
  const work = [from];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    store.work.spend(node);
    const onward = next[node] ?? 0;
    const operand = arg[node] ?? 0;
    switch (op[node]) {
      case nfa.SPLIT:
        work.push(operand, onward);
        break;
      case nfa.ASSERT:
        if (guardHolds(operand, place) !== FALSE) work.push(onward);
        break;
      case nfa.BEHIND: {
        const holds = place.lookbehinds[operand] ?? FALSE;
        if (holds === OPEN || holds + (negate[node] ?? 0) === 1) work.push(onward);
        break;
      }
      case nfa.AHEAD: {
        const body = bodyAt(store, operand, place);
        const lost = negate[node] === 1 ? body === SATISFIED : body === DEAD;
        if (!lost) work.push(onward);
        break;
      }
      default:
        if (goal(op[node] ?? nfa.FAIL)) return true;
    }
  }
  return false;
}

/** A set of threads that is emptied in no time: a thread is in it if it bears the current stamp. */
class Marks {
  #stamps = new Uint32Array(1024);
  #stamp = 1;

  /** Adds a thread; false if it was there. */
  add(thread: number): boolean {
    if (thread >= this.#stamps.length) this.#grow(thread);
    if (this.#stamps[thread] === this.#stamp) return false;
    this.#stamps[thread] = this.#stamp;
    return true;
  }

  clear(): void {
    this.#stamp++;
    if (this.#stamp === 0xffffffff) {
      this.#stamps.fill(0);
      this.#stamp = 1;
    }
  }

  #grow(thread: number): void {
    const larger = new Uint32Array(Math.max(2 * this.#stamps.length, thread + 1));
    larger.set(this.#stamps);
    this.#stamps = larger;
  }
}

/** Closures nest (a lookahead inside a lookahead), so there are several; they are used again and again. */
const idleMarks: Marks[] = [];

function takeMarks(): Marks {
  return idleMarks.pop() ?? new Marks();
}

function giveMarks(marks: Marks): void {
  marks.clear();
  idleMarks.push(marks);
}
