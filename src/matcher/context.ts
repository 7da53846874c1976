// The left context: all that a match beginning or going on here may ask about the text before. It is the kind of
// the last character, and the automata of all lookbehinds, which run from the beginning of the text whether or not
// a rule is half matched.

import { type CharClasses, isMember } from "./char-classes.ts";
import { canEndHere, closure, FALSE, OPEN, type Place, TRUE } from "./closure.ts";
import { InternTable } from "./intern-table.ts";
import * as nfa from "./nfa.ts";
import type { ThreadStore } from "./thread-store.ts";

/** What becomes of a context when a character is read. */
export interface ContextStep {
  /** The place before the character, now that its kind is known. */
  readonly before: Place;
  readonly next: Context;
}

export interface Context {
  readonly id: number;
  /** The place here, as long as the next character is not known. */
  readonly place: Place;
  /** Threads of the lookbehinds, closed at this place. */
  readonly threads: Int32Array;
  /** By the kind of the next character; filled as needed. */
  readonly decided: (Closed | undefined)[];
  /** By the class of the next character; filled as needed. */
  readonly steps: (ContextStep | undefined)[];
}

/** A place, and the lookbehinds' threads closed at it. */
interface Closed {
  readonly place: Place;
  readonly threads: Iterable<number>;
}

/** The contexts met so far, each once. */
export class Contexts {
  readonly #store: ThreadStore;
  readonly #classes: CharClasses;
  readonly #table = new InternTable();
  readonly #contexts: Context[] = [];

  constructor(store: ThreadStore, classes: CharClasses) {
    this.#store = store;
    this.#classes = classes;
  }

  get bytes(): number {
    return this.#table.bytes + this.#contexts.length * (200 + 8 * this.#classes.count);
  }

  /** The context at the beginning of a text. */
  initial(): Context {
    return this.#contextAfter(nfa.EDGE, []);
  }

  /** The same context as one of another table for the same automaton. */
  adopt(context: Context): Context {
    return this.#intern(context.place, context.threads);
  }

  /** Reads a character of class `cls`. */
  step(context: Context, cls: number): ContextStep {
    const known = context.steps[cls];
    if (known !== undefined) return known;
    const { op, next, arg } = this.#store.nfa;
    const kind = this.#classes.kinds[cls] ?? 0;
    const { place: before, threads } = this.#decide(context, kind);
    const targets: number[] = [];
    for (const node of threads) {
      if (op[node] === nfa.CHAR && isMember(this.#classes, arg[node] ?? 0, cls))
        targets.push(next[node] ?? 0);
    }
    const step = { before, next: this.#contextAfter(kind, targets) };
    context.steps[cls] = step;
    return step;
  }

  /** The place at the end of the text. */
  atEnd(context: Context): Place {
    return this.#decide(context, nfa.EDGE).place;
  }

  /** The context's place, now that the kind of the next character is known. */
  #decide(context: Context, kind: number): Closed {
    const known = context.decided[kind];
    if (known !== undefined) return known;
    const decided =
      this.#store.nfa.lookbehinds.length === 0
        ? { place: { ...context.place, right: kind }, threads: [] }
        : this.#close(context.threads, context.place.left, kind);
    context.decided[kind] = decided;
    return decided;
  }

  #contextAfter(left: number, targets: readonly number[]): Context {
    const { place, threads } = this.#close(targets, left, nfa.UNKNOWN);
    return this.#intern(place, Int32Array.from(threads).sort());
  }

  #intern(place: Place, threads: Int32Array): Context {
    const id = this.#table.intern(Int32Array.of(place.left, ...place.lookbehinds, ...threads));
    const known = this.#contexts[id];
    if (known !== undefined) return known;
    const context: Context = { id, place, threads, decided: [], steps: [] };
    this.#contexts[id] = context;
    return context;
  }

  /**
   * Closes the lookbehinds' threads and says which hold. One after the other, the inner before the outer, since the
   * outer asks what the inner found. Each of them also begins anew here.
   */
  #close(threads: Iterable<number>, left: number, right: number): { place: Place; threads: number[] } {
    const store = this.#store;
    const { lookbehinds: starts, lookbehind, op, next } = store.nfa;
    const holds = new Uint8Array(starts.length);
    const place: Place = { left, right, lookbehinds: holds };
    const work: number[][] = starts.map((start) => [start]);
    for (const thread of threads) work[lookbehind[thread] ?? 0]?.push(thread);
    const closed = work.flatMap((own, index) => {
      const stopped = closure(store, own, place);
      let verdict = FALSE;
      for (const node of stopped) {
        if (op[node] === nfa.ACCEPT_BEHIND) verdict = TRUE;
        else if (verdict === FALSE && op[node] !== nfa.CHAR && canEndHere(store, next[node] ?? 0, place)) {
          verdict = OPEN;
        }
      }
      holds[index] = verdict;
      return stopped;
    });
    return { place, threads: closed };
  }
}
