// Carries threads from one store to another of the same automaton, so that a full store can be dropped in the middle
// of a stream.

import { DEAD, FREE, SATISFIED, type ThreadStore } from "./thread-store.ts";

/** The threads as the store `to` writes them, in the same order. */
export function carryThreads(threads: Iterable<number>, from: ThreadStore, to: ThreadStore): number[] {
  const bodies = new Map([
    [DEAD, DEAD],
    [SATISFIED, SATISFIED],
  ]);
  const obligations = new Map([[FREE, FREE]]);
  const carryBody = (body: number): number => {
    const known = bodies.get(body);
    if (known !== undefined) return known;
    const carried = to.setOf(Array.from(from.sets.get(body), carryThread));
    bodies.set(body, carried);
    return carried;
  };
  const carryObligation = (obligation: number): number => {
    const known = obligations.get(obligation);
    if (known !== undefined) return known;
    const { negative, positive } = from.bodiesOf(obligation);
    const carried = to.obligationOfBodies(carryBody(negative), positive.map(carryBody));
    obligations.set(obligation, carried);
    return carried;
  };
  const carryThread = (thread: number): number =>
    to.threadAt(from.nodeOf(thread), carryObligation(from.obligationOf(thread)));
  return Array.from(threads, carryThread);
}
