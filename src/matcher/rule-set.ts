// From rules to what reads them: an automaton over units, one over code points, and the patterns that need the
// backtracking engine.

import type { Nfa } from "./nfa.ts";
import { addPattern, NeedsBacktracking, type PatternToAdd } from "./nfa-build.ts";
import { createDraft, finishDraft, type NfaDraft } from "./nfa-draft.ts";
import type { Limits } from "./options.ts";
import { overPoints, type ParsedPattern, PatternError, parsePattern } from "./pattern.ts";
import { compileProgram } from "./program.ts";
import type { SlowPattern } from "./slow-lane.ts";
import { repeatsLookahead } from "./syntax.ts";

export interface RuleSource {
  readonly id: string;
  readonly patterns: readonly string[];
  readonly flags?: string;
}

export interface RuleSet {
  /** Automata that have patterns in them. */
  readonly automata: readonly Nfa[];
  readonly slow: readonly SlowPattern[];
  /** Rule numbers in use: the rules in their order, then the probes of slow patterns. */
  readonly ruleCount: number;
  /** The patterns of a rule that an automaton decides, should it have to be decided otherwise after all. */
  readonly quick: readonly (readonly ParsedPattern[])[];
  /** The automaton may have to give a rule up, and then the whole text is needed. */
  readonly mayNeedText: boolean;
}

/** Throws `PatternError`, which then names the rule. */
export function buildRuleSet(
  rules: readonly RuleSource[],
  { maxNodes, maxWays, maxThreads, maxStepsPerUnit }: Limits,
): RuleSet {
  const room: Room = { maxNodes, maxWays, nodesLeft: PATTERNS_OF_FULL_SIZE * maxNodes };
  const drafts = [createDraft(false), createDraft(true)] as const;
  const slow: SlowPattern[] = [];
  let ruleCount = rules.length;
  let mayNeedText = false;
  const quick = rules.map(({ id, patterns, flags }, rule) =>
    patterns.flatMap((source) => {
      const pattern = named(id, source, () => parsePattern(source, flags));
      const draft = overPoints(pattern.flags) ? drafts[1] : drafts[0];
      const added = named(id, source, () => tryToAdd(draft, { rule, pattern }, room));
      if (added !== undefined) {
        mayNeedText ||= added > Math.min(maxThreads, maxStepsPerUnit) || repeatsLookahead(pattern.ast);
        return [pattern];
      }
      const program = named(id, source, () => compileProgram(pattern));
      const probe = tryToAdd(draft, { rule: ruleCount, pattern, superset: true }, room);
      slow.push({ rule, program, probe: probe === undefined ? undefined : ruleCount++ });
      return [];
    }),
  );
  const automata = drafts.filter(({ starts }) => starts.length > 0).map(finishDraft);
  return { automata, slow, ruleCount, quick, mayNeedText };
}

/** What is left for all patterns together. */
interface Room {
  readonly maxNodes: number;
  readonly maxWays: number;
  nodesLeft: number;
}

/** As many patterns may be as large as one may be; for those that come later a small share of it is left. */
const PATTERNS_OF_FULL_SIZE = 10;
const LATE_SHARE = 100;

/** The nodes it took, or undefined if the pattern needs the backtracking engine. */
function tryToAdd(
  draft: NfaDraft,
  pattern: Omit<PatternToAdd, "maxNodes" | "maxWays">,
  room: Room,
): number | undefined {
  const { maxNodes, maxWays, nodesLeft } = room;
  const most = Math.min(maxNodes, Math.max(nodesLeft, maxNodes / LATE_SHARE));
  try {
    const added = addPattern(draft, { ...pattern, maxNodes: most, maxWays });
    room.nodesLeft -= added;
    return added;
  } catch (error) {
    if (error instanceof NeedsBacktracking) {
      if (error.tooLarge) room.nodesLeft -= most / 2;
      return undefined;
    }
    throw error;
  }
}

const LONGEST_SHOWN = 100;

/** Adds to a fault which rule and pattern it is in. */
function named<T>(id: string, source: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const shown = source.length > LONGEST_SHOWN ? `${source.slice(0, LONGEST_SHOWN)}…` : source;
    throw new PatternError(`Rule "${id}", pattern /${shown}/: ${error.message}`, error.index);
  }
}
