// The left context: all that a match beginning or going on here may ask about the text before. It is the kind of
// the last character, and the automata of all lookbehinds, which run from the beginning of the text whether or not
// a rule is half matched.
//
// A lookbehind begins at every place, so what has just begun depends on the kinds of the neighbours alone, and a
// context keeps only the threads that have come from further back. (Not so for a lookbehind with another one inside,
// which asks what that one has found; those are few, and are closed anew at each place.)

import { type CharClasses, isMember } from "./char-classes.ts";
import { canEndHere, closure, FALSE, OPEN, type Place, TRUE } from "./closure.ts";
import { InternTable } from "./intern-table.ts";
import type { Lookbehinds } from "./lookbehinds.ts";
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
  /** Threads of lookbehinds from further back, closed at this place, in ascending order. */
  readonly threads: Int32Array;
  /** By the kind of the next character; filled as needed. */
  readonly decided: (Closed | undefined)[];
  /** By the class of the next character; filled as needed. */
  readonly steps: (ContextStep | undefined)[];
}

/** A place, and threads closed at it. */
interface Closed {
  readonly place: Place;
  readonly threads: ArrayLike<number>;
}

/** The contexts met so far, each once. */
export class Contexts {
  readonly #store: ThreadStore;
  readonly #classes: CharClasses;
  readonly #lookbehinds: Lookbehinds;
  readonly #table = new InternTable();
  readonly #contexts: Context[] = [];
  readonly #placeTable = new InternTable();
  readonly #places: Place[] = [];
  /** What begins at a place, by the kinds of its neighbours. */
  readonly #begun = new Map<number, Closed>();
  /** Where that goes, by the kind of the character before and the class of the one after. */
  readonly #begunSteps = new Map<number, readonly number[]>();

  constructor(store: ThreadStore, classes: CharClasses, lookbehinds: Lookbehinds) {
    this.#store = store;
    this.#classes = classes;
    this.#lookbehinds = lookbehinds;
  }

  get bytes(): number {
    const contextBytes = CONTEXT_BYTES + 8 * this.#classes.count;
    const placeBytes = PLACE_BYTES + this.#store.nfa.lookbehinds.length;
    return (
      this.#table.bytes +
      this.#contexts.length * contextBytes +
      this.#placeTable.bytes +
      this.#places.length * placeBytes
    );
  }

  /** The context at the beginning of a text. */
  initial(): Context {
    return this.#contextAt(nfa.EDGE, []);
  }

  /** The same context as one of another table for the same automaton, which may have asked for more lookbehinds. */
  adopt({ place, threads }: Context): Context {
    const { lookbehind } = this.#store.nfa;
    const wanted = threads.filter((thread) => this.#lookbehinds.wanted[lookbehind[thread] ?? 0] === 1);
    return this.#contextAt(place.left, wanted);
  }

  /** Reads a character of class `cls`. */
  step(context: Context, cls: number): ContextStep {
    const known = context.steps[cls];
    if (known !== undefined) return known;
    const kind = this.#classes.kinds[cls] ?? 0;
    const { place, threads } = this.#decide(context, kind);
    const targets = [...this.#moved(threads, cls), ...this.#begunStep(place.left, kind, cls)];
    const step = { before: place, next: this.#contextAt(kind, targets) };
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
    const decided = this.#close(context.threads, context.place.left, kind);
    context.decided[kind] = decided;
    return decided;
  }

  #contextAt(left: number, targets: ArrayLike<number>): Context {
    const { place, threads } = this.#close(targets, left, nfa.UNKNOWN);
    const sorted = Int32Array.from(threads).sort();
    const key = new Int32Array(1 + sorted.length);
    key[0] = left;
    key.set(sorted, 1);
    const id = this.#table.intern(key);
    const known = this.#contexts[id];
    if (known !== undefined) return known;
    const context: Context = { id, place, threads: sorted, decided: [], steps: [] };
    this.#contexts[id] = context;
    return context;
  }

  /** Closes threads that come from further back, and says which lookbehinds hold here. */
  #close(threads: ArrayLike<number>, left: number, right: number): Closed {
    const { lookbehind, lookbehinds: starts } = this.#store.nfa;
    const holds = this.#beginAt(left, right).place.lookbehinds.slice();
    const place: Place = { id: -1, left, right, lookbehinds: holds, bodies: new Map() };
    const groups = new Map<number, number[]>();
    for (let k = 0; k < threads.length; k++) {
      const thread = threads[k] ?? 0;
      const index = lookbehind[thread] ?? 0;
      const group = groups.get(index);
      if (group === undefined) groups.set(index, [thread]);
      else group.push(thread);
    }
    const closed: number[] = [];
    for (const [index, group] of groups) {
      if (this.#lookbehinds.nesting[index] !== 1) closed.push(...this.#closeOne(index, group, place));
    }
    for (const index of this.#lookbehinds.nestingOnes) {
      const group = [starts[index] ?? 0, ...(groups.get(index) ?? [])];
      closed.push(...this.#closeOne(index, group, place));
    }
    return { place: this.#shared(place), threads: closed };
  }

  /** The one place that stands for all that are like this one. */
  #shared(place: Place): Place {
    const key = new Int32Array(2 + place.lookbehinds.length);
    key[0] = place.left;
    key[1] = place.right;
    key.set(place.lookbehinds, 2);
    const id = this.#placeTable.intern(key);
    const known = this.#places[id];
    if (known !== undefined) return known;
    const shared = { ...place, id };
    this.#places[id] = shared;
    return shared;
  }

  /** Closes threads of one lookbehind and adds to the place what they say about it. */
  #closeOne(index: number, threads: readonly number[], place: Place): number[] {
    const { op, next } = this.#store.nfa;
    const stopped = closure(this.#store, threads, place);
    let verdict = place.lookbehinds[index] ?? FALSE;
    for (const node of stopped) {
      if (op[node] === nfa.ACCEPT_BEHIND) verdict = TRUE;
      else if (
        verdict === FALSE &&
        op[node] !== nfa.CHAR &&
        canEndHere(this.#store, next[node] ?? 0, place)
      ) {
        verdict = OPEN;
      }
    }
    place.lookbehinds[index] = verdict;
    return stopped;
  }

  /** What the lookbehinds that have none inside them begin with between two neighbours of these kinds. */
  #beginAt(left: number, right: number): Closed {
    const key = left * KINDS + right + 1;
    const known = this.#begun.get(key);
    if (known !== undefined) return known;
    const { lookbehinds: starts } = this.#store.nfa;
    const lookbehinds = new Uint8Array(starts.length);
    const place: Place = { id: -1, left, right, lookbehinds, bodies: new Map() };
    const threads = this.#lookbehinds.plainOnes.flatMap((index) =>
      this.#closeOne(index, [starts[index] ?? 0], place),
    );
    const begun = { place, threads };
    this.#begun.set(key, begun);
    return begun;
  }

  #begunStep(left: number, kind: number, cls: number): readonly number[] {
    const key = left * this.#classes.count + cls;
    const known = this.#begunSteps.get(key);
    if (known !== undefined) return known;
    const moved = this.#moved(this.#beginAt(left, kind).threads, cls);
    this.#begunSteps.set(key, moved);
    return moved;
  }

  #moved(threads: ArrayLike<number>, cls: number): number[] {
    const { op, next, arg } = this.#store.nfa;
    const moved: number[] = [];
    for (let k = 0; k < threads.length; k++) {
      const node = threads[k] ?? 0;
      this.#store.work.spend(node);
      if (op[node] === nfa.CHAR && isMember(this.#classes, arg[node] ?? 0, cls)) moved.push(next[node] ?? 0);
    }
    return moved;
  }
}

/** What a context and a place take besides their lists: rounded up. */
const CONTEXT_BYTES = 200;
const PLACE_BYTES = 200;
/** More than any sum of kinds. */
const KINDS = 64;
