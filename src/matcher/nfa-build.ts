// From a pattern's tree to nodes of the automaton, built from the end of the pattern to its beginning, so that
// each part is made knowing the node that follows it.

import type { AST } from "@eslint-community/regexpp";
import { type CharSet, MAX_POINT, MAX_UNIT } from "./charset.ts";
import { foldsWords, isLeaf, type Leaf, leafSet, oneCharacterSet } from "./leaf.ts";
import * as nfa from "./nfa.ts";
import { addNode, addSet, type Mark, mark, type NfaDraft, type NodeParts, rollback } from "./nfa-draft.ts";
import { type ParsedPattern, type PatternFlags, withModifiers } from "./pattern.ts";
import { quantifiersFreeOfLookaheads } from "./syntax.ts";
import { waysOn } from "./ways.ts";

/** The automaton cannot decide this pattern; the message says why, as the end of "it is slow because". */
export class NeedsBacktracking extends Error {
  override readonly name = "NeedsBacktracking";
  /** It is not odd, but so large that it took work to find out. */
  tooLarge = false;
}

export interface PatternToAdd {
  readonly rule: number;
  readonly pattern: ParsedPattern;
  readonly maxNodes: number;
  readonly maxWays: number;
  /**
   * Build what matches at least where the pattern does: a backreference is taken for any text, negative lookaheads
   * and all lookbehinds are left out, long repetitions have no end. As long as a superset has not fired, the pattern
   * has not.
   */
  readonly superset?: boolean;
}

interface Build {
  readonly draft: NfaDraft;
  readonly rule: number;
  readonly superset: boolean;
  readonly countable: ReadonlySet<AST.Quantifier>;
  readonly maxNodes: number;
  readonly leafSets: Map<Leaf, number>;
  nodesLeft: number;
  /** The flags where the building is: modifiers change them for a group. */
  flags: PatternFlags;
  /** What marks the nodes of the lookbehind that is being built, or NO_LOOKBEHIND. */
  lookbehind: number;
}

const NO_LOOKBEHIND = -1;
/** Marks below NO_LOOKBEHIND stand for lookbehinds that have no number yet. */
const FIRST_UNNUMBERED = -2;
/** Repetitions of one character from this many on are counted rather than copied. */
const COUNTED_FROM = 16;
/** Copies of a repetition in a superset; from there on it repeats without end. */
const SUPERSET_COPIES = 8;

/**
 * Adds a pattern and gives the number of nodes it took. Throws `NeedsBacktracking` or `PatternError`, and then has
 * added nothing.
 */
export function addPattern(
  draft: NfaDraft,
  { rule, pattern, maxNodes, maxWays, superset = false }: PatternToAdd,
): number {
  const before: Mark = mark(draft);
  const build: Build = {
    draft,
    rule,
    superset,
    countable: quantifiersFreeOfLookaheads(pattern.ast),
    maxNodes,
    leafSets: new Map(),
    nodesLeft: maxNodes,
    flags: pattern.flags,
    lookbehind: NO_LOOKBEHIND,
  };
  try {
    const accept = add(build, { op: nfa.ACCEPT });
    const node = addAlternatives(build, pattern.ast.alternatives, accept);
    if (waysOn(draft, { from: before.nodes, start: node, most: maxWays }) > maxWays)
      throw tooLarge(`what is optional in it can be left out in more than ${maxWays} ways`);
    draft.starts.push({ rule, node });
    return maxNodes - build.nodesLeft;
  } catch (error) {
    rollback(draft, before);
    throw error;
  }
}

function add(build: Build, parts: NodeParts): number {
  spend(build, 1);
  const { rule, lookbehind } = build;
  return addNode(build.draft, { ...parts, rule: lookbehind === NO_LOOKBEHIND ? rule : -1, lookbehind });
}

function tooLarge(message: string): NeedsBacktracking {
  return Object.assign(new NeedsBacktracking(message), { tooLarge: true });
}

function spend(build: Build, nodes: number): void {
  build.nodesLeft -= nodes;
  if (build.nodesLeft < 0) {
    throw tooLarge(`its automaton would need more than ${build.maxNodes} nodes`);
  }
}

function addAlternatives(build: Build, alternatives: readonly AST.Alternative[], next: number): number {
  let entry = -1;
  for (const { elements } of alternatives.toReversed()) {
    let node = next;
    for (const element of elements.toReversed()) node = addElement(build, element, node);
    entry = entry < 0 ? node : add(build, { op: nfa.SPLIT, next: node, arg: entry });
  }
  return entry;
}

function addElement(build: Build, element: AST.Element, next: number): number {
  if (isLeaf(element)) return addChar(build, leafSetNumber(build, element), next);
  switch (element.type) {
    case "Group":
      return addGroup(build, element, next);
    case "CapturingGroup":
      return addAlternatives(build, element.alternatives, next);
    case "Assertion":
      return addAssertion(build, element, next);
    case "Quantifier":
      return addQuantifier(build, element, next);
    case "Backreference":
      if (!build.superset) throw new NeedsBacktracking("it has a backreference");
      return addAnything(build, next);
  }
}

function addGroup(build: Build, { alternatives, modifiers }: AST.Group, next: number): number {
  const outside = build.flags;
  build.flags = withModifiers(outside, modifiers);
  const entry = addAlternatives(build, alternatives, next);
  build.flags = outside;
  return entry;
}

function addChar(build: Build, set: number, next: number): number {
  const isEmpty = build.draft.sets[set]?.length === 0;
  return add(build, isEmpty ? { op: nfa.FAIL } : { op: nfa.CHAR, next, arg: set });
}

/** A leaf is met once for each copy of a repetition around it, always under the same flags. */
function leafSetNumber(build: Build, leaf: Leaf): number {
  const known = build.leafSets.get(leaf);
  if (known !== undefined) return known;
  const number = addSet(build.draft, leafSet(leaf, build.flags));
  build.leafSets.set(leaf, number);
  return number;
}

function addAnything(build: Build, next: number): number {
  const anything = addSet(build.draft, [0, build.draft.overPoints ? MAX_POINT : MAX_UNIT]);
  const loop = add(build, { op: nfa.SPLIT, arg: next });
  build.draft.next[loop] = addChar(build, anything, loop);
  return loop;
}

function addAssertion(build: Build, assertion: AST.Assertion, next: number): number {
  const { draft, flags } = build;
  switch (assertion.kind) {
    case "start":
    case "end": {
      if (flags.multiline) draft.kindsUsed |= nfa.LINE_BREAK;
      const atStart = flags.multiline ? nfa.LINE_START : nfa.TEXT_START;
      const atEnd = flags.multiline ? nfa.LINE_END : nfa.TEXT_END;
      return add(build, { op: nfa.ASSERT, next, arg: assertion.kind === "start" ? atStart : atEnd });
    }
    case "word": {
      const folded = foldsWords(flags);
      draft.kindsUsed |= folded ? nfa.FOLDED_WORD_CHAR : nfa.WORD_CHAR;
      const edge = folded ? nfa.FOLDED_WORD_EDGE : nfa.WORD_EDGE;
      const noEdge = folded ? nfa.NO_FOLDED_WORD_EDGE : nfa.NO_WORD_EDGE;
      return add(build, { op: nfa.ASSERT, next, arg: assertion.negate ? noEdge : edge });
    }
    case "lookahead":
      return addLookahead(build, assertion, next);
    case "lookbehind":
      return addLookbehind(build, assertion, next);
  }
}

function addLookahead(build: Build, ahead: AST.LookaheadAssertion, next: number): number {
  if (build.lookbehind !== NO_LOOKBEHIND)
    throw new NeedsBacktracking("it has a lookahead inside a lookbehind");
  if (build.superset && ahead.negate) return next;
  const body = addAlternatives(build, ahead.alternatives, add(build, { op: nfa.ACCEPT_AHEAD }));
  return add(build, { op: nfa.AHEAD, next, arg: body, negate: ahead.negate });
}

function addLookbehind(build: Build, behind: AST.LookbehindAssertion, next: number): number {
  const { draft, flags } = build;
  if (build.superset) return next;
  const key = `${behind.alternatives.map((alternative) => alternative.raw).join("|")}/${JSON.stringify(flags)}`;
  let index = draft.lookbehindIndex.get(key);
  if (index === undefined) {
    index = addLookbehindBody(build, behind);
    draft.lookbehindIndex.set(key, index);
  }
  return add(build, { op: nfa.BEHIND, next, arg: index, negate: behind.negate });
}

/** The body's nodes carry the number of their lookbehind, which is known only when those inside have theirs. */
function addLookbehindBody(build: Build, behind: AST.LookbehindAssertion): number {
  const { draft } = build;
  const outer = build.lookbehind;
  const accept = draft.op.length;
  const unnumbered = FIRST_UNNUMBERED - accept;
  build.lookbehind = unnumbered;
  add(build, { op: nfa.ACCEPT_BEHIND });
  const body = addAlternatives(build, behind.alternatives, accept);
  build.lookbehind = outer;
  const index = draft.lookbehinds.push(body) - 1;
  draft.arg[accept] = index;
  for (let node = accept; node < draft.op.length; node++) {
    if (draft.lookbehind[node] === unnumbered) draft.lookbehind[node] = index;
  }
  return index;
}

function addQuantifier(build: Build, quantifier: AST.Quantifier, next: number): number {
  const { min, max, element } = quantifier;
  if (isCounted(build, quantifier)) {
    const set = oneCharacterSet(element, build.flags);
    if (set !== undefined && set.length > 0) return addCounted(build, { set, min, max, next });
  }
  if (build.superset && (min > SUPERSET_COPIES || (max !== Infinity && max > SUPERSET_COPIES))) {
    return addLoop(build, { element, min: Math.min(min, SUPERSET_COPIES) }, next);
  }
  if (max === Infinity) return addLoop(build, { element, min }, next);
  let entry = next;
  for (let k = min; k < max; k++) {
    const body = addElement(build, element, entry);
    if (body === entry) break;
    entry = add(build, { op: nfa.SPLIT, next: body, arg: next });
  }
  return addCopies(build, { element, min }, entry);
}

function isCounted(build: Build, quantifier: AST.Quantifier): boolean {
  const { min, max } = quantifier;
  return build.countable.has(quantifier) && (max === Infinity ? min : max) >= COUNTED_FROM;
}

interface Repetition {
  readonly element: AST.Element;
  readonly min: number;
}

/** `X{min,}`: the last of the copies is the one that repeats. */
function addLoop(build: Build, { element, min }: Repetition, next: number): number {
  const loop = add(build, { op: nfa.SPLIT, arg: next });
  const body = addElement(build, element, loop);
  build.draft.next[loop] = body;
  return min === 0 ? loop : addCopies(build, { element, min: min - 1 }, body);
}

/** `X{min}`. */
function addCopies(build: Build, { element, min }: Repetition, next: number): number {
  let entry = next;
  for (let k = 0; k < min; k++) {
    const body = addElement(build, element, entry);
    if (body === entry) break;
    entry = body;
  }
  return entry;
}

interface Counted {
  readonly set: CharSet;
  readonly min: number;
  readonly max: number;
  readonly next: number;
}

function addCounted(build: Build, { set, min, max, next }: Counted): number {
  const { draft } = build;
  const setIndex = addSet(draft, set);
  let after = next;
  if (max === Infinity) {
    after = add(build, { op: nfa.SPLIT, arg: next });
    draft.next[after] = add(build, { op: nfa.CHAR, next: after, arg: setIndex });
  }
  const counter = {
    set: setIndex,
    min: Math.max(1, min),
    max: max === Infinity ? min : max,
    next: after,
    rule: build.rule,
  };
  // What a counter may hold at once, see counters.ts: it is paid for like the nodes it replaces.
  spend(build, Math.ceil(counter.max / (counter.max - counter.min + 2)));
  const count = add(build, { op: nfa.COUNT, next: after, arg: draft.counters.push(counter) - 1 });
  return min === 0 ? add(build, { op: nfa.SPLIT, next: count, arg: next }) : count;
}
