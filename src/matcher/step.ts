// One character read by a set of threads: guards that waited for it are decided, threads move, lookahead bodies
// under way move with them.

import { type CharClasses, isMember } from "./char-classes.ts";
import { closure, type Place } from "./closure.ts";
import { type Context, Contexts } from "./context.ts";
import { findLookbehinds } from "./lookbehinds.ts";
import * as nfa from "./nfa.ts";
import { type Bodies, DEAD, FREE, SATISFIED, ThreadStore } from "./thread-store.ts";
import type { Work } from "./work.ts";

/** An automaton's threads, contexts and memos. Grows only; its owner replaces it when it takes too much memory. */
export interface Simulation {
  readonly classes: CharClasses;
  readonly store: ThreadStore;
  readonly contexts: Contexts;
  /** Steps of obligations and of lookahead bodies, by (obligation or body, context, class). */
  readonly obligationSteps: Map<number, number>;
  readonly bodySteps: Map<number, number>;
}

/** A character of class `cls`, read where the left context is `from`. */
export interface Read {
  readonly from: Context;
  readonly cls: number;
}

/** What threads became. Rules in `fires` matched; counters are to be entered before or after the character. */
export interface ThreadStep {
  readonly threads: number[];
  readonly fires: number[];
  readonly entersBefore: number[];
  readonly enters: number[];
}

/** An obligation that cannot be met any more. */
const BROKEN = -1;

export interface SimulationParts {
  readonly nfa: nfa.Nfa;
  readonly classes: CharClasses;
  /** 1 for each rule that is looked for. */
  readonly rules: Uint8Array;
  readonly maxThreads: number;
  readonly work: Work;
}

export function createSimulation({
  nfa: automaton,
  classes,
  rules,
  maxThreads,
  work,
}: SimulationParts): Simulation {
  const store = new ThreadStore(automaton, maxThreads, work);
  const contexts = new Contexts(store, classes, findLookbehinds(automaton, rules));
  return { classes, store, contexts, obligationSteps: new Map(), bodySteps: new Map() };
}

export function simulationBytes(sim: Simulation): number {
  return sim.store.bytes + sim.contexts.bytes + 48 * (sim.bodySteps.size + sim.obligationSteps.size);
}

/** Moves the threads of rules over a character. */
export function stepThreads(sim: Simulation, threads: ArrayLike<number>, read: Read): ThreadStep {
  const { before } = sim.contexts.step(read.from, read.cls);
  return stepStanding(sim, stand(sim.store, threads, before), read);
}

/** The threads of a set, with those that waited for the kind of the next character moved on; some may come twice. */
function stand(store: ThreadStore, threads: ArrayLike<number>, place: Place): number[] {
  const { op } = store.nfa;
  const standing: number[] = [];
  const waiting: number[] = [];
  for (let k = 0; k < threads.length; k++) {
    const thread = threads[k] ?? 0;
    const waits = op[store.nodeOf(thread)] === nfa.ASSERT || op[store.nodeOf(thread)] === nfa.BEHIND;
    (waits ? waiting : standing).push(thread);
  }
  return waiting.length === 0 ? standing : standing.concat(closure(store, waiting, place));
}

/** The same for threads that are closed at the place before the character already. */
export function stepStanding(sim: Simulation, standing: readonly number[], read: Read): ThreadStep {
  const { store, contexts } = sim;
  const { op, arg, rule } = store.nfa;
  const fires: number[] = [];
  const entersBefore: number[] = [];
  for (const thread of standing) {
    if (thread >= store.freeBelow) continue;
    if (op[thread] === nfa.ACCEPT) fires.push(rule[thread] ?? 0);
    else if (op[thread] === nfa.COUNT) entersBefore.push(arg[thread] ?? 0);
  }
  const moved = moveThreads(sim, standing, read);
  const after = settle(store, closure(store, moved, contexts.step(read.from, read.cls).next.place));
  return { threads: after.threads, fires: fires.concat(after.fires), entersBefore, enters: after.enters };
}

/** Separates what has come to an end at this place from the threads that go on. */
export function settle(store: ThreadStore, stopped: readonly number[]): Omit<ThreadStep, "entersBefore"> {
  const { op, arg, rule } = store.nfa;
  const threads: number[] = [];
  const fires: number[] = [];
  const enters: number[] = [];
  for (const thread of stopped) {
    const free = thread < store.freeBelow;
    if (free && op[thread] === nfa.ACCEPT) fires.push(rule[thread] ?? 0);
    else if (free && op[thread] === nfa.COUNT) enters.push(arg[thread] ?? 0);
    else threads.push(thread);
  }
  return { threads, fires, enters };
}

/** The rules whose match is complete now that the text is over. */
export function acceptedAtEnd(sim: Simulation, threads: ArrayLike<number>, at: Context): number[] {
  const { store, contexts } = sim;
  const { op, rule } = store.nfa;
  const rules = new Set<number>();
  for (const thread of closure(store, threads, contexts.atEnd(at))) {
    const node = store.nodeOf(thread);
    if (op[node] === nfa.ACCEPT && metAtEnd(sim, store.obligationOf(thread), at)) rules.add(rule[node] ?? 0);
  }
  return [...rules];
}

/** Moves each thread that reads a character of the class; one that has only its obligations left stays. */
function moveThreads(sim: Simulation, threads: readonly number[], read: Read): number[] {
  const { store, classes } = sim;
  const { op, next, arg } = store.nfa;
  const moved: number[] = [];
  for (const thread of threads) {
    const node = store.nodeOf(thread);
    store.work.spend(node);
    const reads = op[node] === nfa.CHAR;
    if (reads && !isMember(classes, arg[node] ?? 0, read.cls)) continue;
    if (thread < store.freeBelow) {
      if (reads) moved.push(next[node] ?? 0);
      continue;
    }
    const obligation = stepObligation(sim, store.obligationOf(thread), read);
    if (obligation !== BROKEN) moved.push(store.threadAt(reads ? (next[node] ?? 0) : node, obligation));
  }
  return moved;
}

function stepObligation(sim: Simulation, obligation: number, read: Read): number {
  const key = keyOf(sim, obligation, read);
  const known = sim.obligationSteps.get(key);
  if (known !== undefined) return known;
  const result = stepBodies(sim, sim.store.bodiesOf(obligation), read);
  sim.obligationSteps.set(key, result);
  return result;
}

function stepBodies(sim: Simulation, { negative, positive }: Bodies, read: Read): number {
  const forbidden = stepBody(sim, negative, read);
  if (forbidden === SATISFIED) return BROKEN;
  const open: number[] = [];
  sim.store.work.charge(positive.length);
  for (const body of positive) {
    const required = stepBody(sim, body, read);
    if (required === DEAD) return BROKEN;
    if (required !== SATISFIED) open.push(required);
  }
  if (forbidden === DEAD && open.length === 0) return FREE;
  return sim.store.obligationOfBodies(forbidden, open);
}

/** Moves the body of a lookahead; gives DEAD, SATISFIED, or what is still open of it. */
function stepBody(sim: Simulation, body: number, read: Read): number {
  if (body === DEAD || body === SATISFIED) return body;
  const key = keyOf(sim, body, read);
  const known = sim.bodySteps.get(key);
  if (known !== undefined) return known;
  const { store, contexts } = sim;
  const { before, next } = contexts.step(read.from, read.cls);
  const standing = stand(store, store.sets.get(body), before);
  const satisfied = standing.some((thread) => store.nfa.op[thread] === nfa.ACCEPT_AHEAD);
  const result = satisfied
    ? SATISFIED
    : store.setOf(closure(store, moveThreads(sim, standing, read), next.place));
  sim.bodySteps.set(key, result);
  return result;
}

function keyOf({ classes }: Simulation, number: number, { from, cls }: Read): number {
  return (number * CONTEXTS + from.id) * classes.count + cls;
}

/** More contexts than one simulation ever holds: keeps the parts of a key apart. */
const CONTEXTS = 2 ** 20;

function metAtEnd(sim: Simulation, obligation: number, at: Context): boolean {
  if (obligation === FREE) return true;
  const { negative, positive } = sim.store.bodiesOf(obligation);
  return !satisfiedAtEnd(sim, negative, at) && positive.every((body) => satisfiedAtEnd(sim, body, at));
}

function satisfiedAtEnd(sim: Simulation, body: number, at: Context): boolean {
  if (body === DEAD || body === SATISFIED) return body === SATISFIED;
  const { store, contexts } = sim;
  return closure(store, store.sets.get(body), contexts.atEnd(at)).some(
    (thread) =>
      store.nfa.op[store.nodeOf(thread)] === nfa.ACCEPT_AHEAD &&
      metAtEnd(sim, store.obligationOf(thread), at),
  );
}
