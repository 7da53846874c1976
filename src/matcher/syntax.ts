// Questions about a pattern's tree that need no automaton.

import type { AST } from "@eslint-community/regexpp";

type Tree = AST.Pattern | AST.Alternative | AST.Element;

/** Whether `test` holds for some element of the tree. */
export function someElement(tree: Tree, test: (element: AST.Element) => boolean): boolean {
  switch (tree.type) {
    case "Pattern":
      return tree.alternatives.some((alternative) => someElement(alternative, test));
    case "Alternative":
      return tree.elements.some((element) => someElement(element, test));
    default:
      return test(tree) || childrenOf(tree).some((child) => someElement(child, test));
  }
}

export function childrenOf(element: AST.Element): readonly (AST.Alternative | AST.Element)[] {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      return element.alternatives;
    case "Quantifier":
      return [element.element];
    case "Assertion":
      return element.kind === "lookahead" || element.kind === "lookbehind" ? element.alternatives : [];
    default:
      return [];
  }
}

/** Whether groups and lookarounds are nested more than `depth` deep; looks no deeper than that. */
export function isDeeperThan(tree: Tree, depth: number): boolean {
  switch (tree.type) {
    case "Pattern":
      return tree.alternatives.some((alternative) => isDeeperThan(alternative, depth));
    case "Alternative":
      return tree.elements.some((element) => isDeeperThan(element, depth));
    case "Quantifier":
      return isDeeperThan(tree.element, depth);
    default: {
      const children = childrenOf(tree);
      return children.length > 0 && (depth === 0 || children.some((child) => isDeeperThan(child, depth - 1)));
    }
  }
}

/** Whether the element, without what is inside it, can move on in the text. */
export function readsText(element: AST.Element): boolean {
  switch (element.type) {
    case "Assertion":
    case "Group":
    case "CapturingGroup":
    case "Quantifier":
      return false;
    default:
      return true;
  }
}

function isLookahead(element: AST.Element): boolean {
  return element.type === "Assertion" && element.kind === "lookahead";
}

/**
 * The quantifiers before which no thread can have crossed a lookahead. Only a thread without obligations can be
 * counted apart from the rest, because a counter keeps numbers and forgets who they belong to.
 */
export function quantifiersFreeOfLookaheads(pattern: AST.Pattern): ReadonlySet<AST.Quantifier> {
  const free = new Set<AST.Quantifier>();
  walkAlternatives(pattern.alternatives, false, free);
  return free;
}

/** `crossed`: whether a lookahead may lie behind. Gives the same for what follows the alternatives. */
function walkAlternatives(
  alternatives: readonly AST.Alternative[],
  crossed: boolean,
  free: Set<AST.Quantifier>,
): boolean {
  let after = crossed;
  for (const { elements } of alternatives) {
    let here = crossed;
    for (const element of elements) here = walkElement(element, here, free);
    after ||= here;
  }
  return after;
}

function walkElement(element: AST.Element, crossed: boolean, free: Set<AST.Quantifier>): boolean {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      return walkAlternatives(element.alternatives, crossed, free);
    case "Quantifier": {
      const before = crossed || someElement(element.element, isLookahead);
      if (!before) free.add(element);
      return walkElement(element.element, before, free);
    }
    case "Assertion":
      return crossed || element.kind === "lookahead";
    default:
      return crossed;
  }
}

/** Whether one match can cross the same lookahead again and again, each time with its own obligation. */
export function repeatsLookahead(pattern: AST.Pattern): boolean {
  return someElement(
    pattern,
    (element) =>
      element.type === "Quantifier" && element.max > 1 && someElement(element.element, isLookahead),
  );
}
