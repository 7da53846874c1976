// What begins where: every rule may begin at every offset, and which threads that makes depends on the context alone, so
// it is found once for each place and kept beside the states rather than in them.

import { closure, type Place } from "./closure.ts";
import type { Context } from "./context.ts";
import type { Nfa } from "./nfa.ts";
import { type Simulation, settle, stepStanding, type ThreadStep } from "./step.ts";

export class Seeds {
  readonly #sim: Simulation;
  readonly #starts: readonly number[];
  /** By place; by place and the place once the kind of the next character is known; and by character. */
  readonly #places = new Map<number, ThreadStep>();
  readonly #standing = new Map<string, readonly number[]>();
  readonly #steps = new Map<string, ThreadStep>();
  #bytes = 0;

  /** `rules` has a 1 for each rule that is looked for. */
  constructor(sim: Simulation, { nfa, rules }: { readonly nfa: Nfa; readonly rules: Uint8Array }) {
    this.#sim = sim;
    this.#starts = nfa.starts.filter(({ rule }) => rules[rule] === 1).map(({ node }) => node);
  }

  /** About the bytes that what is kept takes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The threads that begin at a context, and the rules that match there without a character. */
  at({ place }: Context): ThreadStep {
    const known = this.#places.get(place.id);
    if (known !== undefined) return known;
    const { store } = this.#sim;
    const { threads, fires, enters } = settle(store, closure(store, this.#starts, place));
    const seeds = { threads, fires, entersBefore: enters, enters: [] };
    this.#places.set(place.id, seeds);
    this.#count(threads.length + fires.length);
    return seeds;
  }

  /**
   * What the threads that begin at a context become on a character: the same wherever the places before it, with its
   * kind not known and known, and after it are the same.
   */
  step(context: Context, cls: number): ThreadStep {
    const { before, next } = this.#sim.contexts.step(context, cls);
    const key = `${context.place.id},${before.id},${cls},${next.place.id}`;
    const known = this.#steps.get(key);
    if (known !== undefined) return known;
    const moved = stepStanding(this.#sim, this.#standingAt(context, before), { from: context, cls });
    const entersBefore = this.at(context).entersBefore.concat(moved.entersBefore);
    const step = { ...moved, entersBefore };
    this.#steps.set(key, step);
    this.#count(step.threads.length + step.fires.length);
    return step;
  }

  #standingAt(context: Context, before: Place): readonly number[] {
    const key = `${context.place.id},${before.id}`;
    const known = this.#standing.get(key);
    if (known !== undefined) return known;
    const standing = closure(this.#sim.store, this.at(context).threads, before);
    this.#standing.set(key, standing);
    this.#count(standing.length);
    return standing;
  }

  #count(members: number): void {
    this.#bytes += LIST_BYTES + MEMBER_BYTES * members;
  }
}

/** A list, with its entry in a map, rounded up; and what each of its members takes. */
const LIST_BYTES = 200;
const MEMBER_BYTES = 8;
