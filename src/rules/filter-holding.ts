// Rules whose matches must not pass. Text is held from where a match that may still come could have begun, and a match
// stops the text before it or is cut out of it. What is released is never taken back.

import { type Located, locateMatch } from "../matcher/locate.ts";
import type { Fire, StreamMatcher } from "../matcher/matcher.ts";
import type { FilterGaveUp, FilterReport, FilterStep } from "./filter-step.ts";
import { CONTEXT_UNITS, createHeldText, type HeldText } from "./held-text.ts";
import type { TtsrRule } from "./register.ts";
import { buildMatcher } from "./stream.ts";

export interface Holding {
  push(text: string): FilterStep;
  end(): FilterStep;
  heldBytes(): number;
  gaveUp(): readonly FilterGaveUp[];
}

/** Everything that changes while a text is read. Offsets are in units of the whole text. */
interface HoldingState {
  readonly rules: ReadonlyMap<string, TtsrRule>;
  readonly action: "stop" | "redact";
  readonly matcher: StreamMatcher;
  readonly text: HeldText;
  /** Units before a place that its matches may depend on. */
  readonly contextUnits: number;
  /** From where each rule may match again, if it has fired. */
  readonly armedFrom: Map<string, number>;
  /** Before the matcher was restarted. */
  readonly gaveUp: FilterGaveUp[];
  /** Matches to be cut out, as soon as no match can come any more that began before them. */
  pending: readonly Match[];
  /** The offset of the matcher's own offset 0. */
  origin: number;
}

const NOTHING: FilterStep = { write: "", reports: [] };

/** Holds one text back for these rules. */
export function createHolding(rules: readonly TtsrRule[], action: "stop" | "redact"): Holding {
  const matcher = buildMatcher(rules);
  const state: HoldingState = {
    rules: new Map(rules.map((rule) => [rule.name, rule])),
    action,
    matcher,
    text: createHeldText(),
    contextUnits: rules.some(looksBehind) ? CONTEXT_UNITS : UNITS_OF_A_CHARACTER,
    armedFrom: new Map(),
    gaveUp: [],
    pending: [],
    // Asked before anything is read, so that the matcher keeps what later answers need.
    origin: matcher.idleFrom,
  };
  const isIdle = rules.length === 0;
  return {
    push: (text) => (isIdle ? { write: text, reports: [] } : push(state, text)),
    end: () => (isIdle ? NOTHING : end(state)),
    heldBytes: () => state.text.bytes,
    gaveUp: () => [...state.gaveUp, ...gaveUpNow(state)],
  };
}

/** Without a lookbehind, all that a match sees of what is before it is one character, by a word's boundary or `^`. */
const UNITS_OF_A_CHARACTER = 2;

function looksBehind({ conditions }: TtsrRule): boolean {
  return conditions.some((condition) => /\(\?<[=!]/.test(condition));
}

function push(state: HoldingState, chunk: string): FilterStep {
  const { matcher, text } = state;
  const steps: FilterStep[] = [];
  for (let from = 0; from < chunk.length; ) {
    const { fires, read } = matcher.pushUntilFire(chunk, from);
    text.add(chunk.slice(from, from + read));
    from += read;
    if (fires.length > 0) steps.push(onFires(state, fires));
    if (steps.at(-1)?.end !== undefined) return joined(steps);
  }
  if (state.pending.length > 0) steps.push(cutPending(state, releasable(state)));
  return joined([...steps, { write: text.takeTo(releasable(state)), reports: [] }]);
}

/** Up to here nothing can be claimed any more by a match that is still to come. */
function releasable({ origin, matcher, text }: HoldingState): number {
  return Math.min(origin + matcher.idleFrom, text.read);
}

function onFires(state: HoldingState, fires: readonly Fire[]): FilterStep {
  const { text, matcher, armedFrom } = state;
  const matches = fires.flatMap((fire) => matchOf(state, fire));
  if (state.action === "stop") return stopAt(state, matches);
  for (const { id } of fires) {
    matcher.rearm(id);
    armedFrom.set(id, text.read);
  }
  const isLate = fires.some(({ at }) => state.origin + at < text.read);
  // What came after a match that ends before what decided it may begin another one.
  const isUnread = ({ start, end }: Match) => isLate || (end > start && end < text.read);
  state.pending = [...state.pending, ...matches.map((match) => ({ ...match, isUnread: isUnread(match) }))];
  return cutPending(state, releasable(state));
}

function end(state: HoldingState): FilterStep {
  const { text, matcher } = state;
  const fires = matcher.end();
  const matches = fires.flatMap((fire) => matchOf(state, fire));
  if (matches.length > 0 && state.action === "stop") return stopAt(state, matches);
  state.pending = [
    ...state.pending,
    ...matches.map((match) => ({ ...match, isUnread: match.end > match.start })),
  ];
  const step = cutPending(state, text.read);
  // What was read again may have matches that only the end decides.
  if (step.isReread) return joined([step, end(state)]);
  return joined([step, { write: text.takeTo(text.read), reports: [] }]);
}

interface CutStep extends FilterStep {
  /** What is held was read once more. */
  readonly isReread?: boolean;
}

/** Cuts pending matches out, those that begin at `limit` or before. */
function cutPending(state: HoldingState, limit: number): CutStep {
  const { text } = state;
  const steps: FilterStep[] = [];
  for (;;) {
    const first = leftmost(state.pending);
    if (first === undefined || first.start > limit) return joined(steps);
    const before = text.base;
    const overlapping = state.pending.filter(({ start }) => start <= first.end);
    state.pending = state.pending.filter(({ start }) => start > first.end);
    steps.push(cutOut(state, first, overlapping));
    if (text.held !== "" && text.base > before && overlapping.some(({ isUnread }) => isUnread))
      return { ...joined([...steps, reread(state)]), isReread: true };
  }
}

/**
 * Reads what is held once more, as if it had just come, after what was released: a fire that was reported late says
 * nothing about what came after its match.
 */
function reread(state: HoldingState): FilterStep {
  const { text, matcher } = state;
  const rest = text.unread();
  state.gaveUp.push(...gaveUpNow(state));
  state.pending = [];
  const context = text.context.slice(-state.contextUnits);
  matcher.restart();
  matcher.push(context);
  state.origin = text.base - context.length;
  for (const id of state.rules.keys()) {
    matcher.rearm(id);
    state.armedFrom.set(id, text.base);
  }
  return push(state, rest);
}

/** A match of a rule. */
interface Match {
  readonly rule: TtsrRule;
  readonly start: number;
  readonly end: number;
  /** What is held after it has not been read as what follows a match. */
  readonly isUnread?: boolean;
}

/** The match that a fire decided; everything that is held, if that cannot be told. */
function matchOf({ rules, text, armedFrom, origin }: HoldingState, fire: Fire): readonly Match[] {
  const rule = rules.get(fire.id);
  if (rule === undefined) return [];
  const shift = text.base - text.context.length;
  const request = {
    rule: { id: rule.name, patterns: rule.conditions },
    text: text.context + text.held,
    from: Math.max(armedFrom.get(rule.name) ?? 0, text.base) - shift,
  };
  const at = origin + fire.at;
  const located = fire.atEnd ? locateMatch(request) : locateDecided(request, at - shift);
  if (located.kind !== "match") return [{ rule, start: text.base, end: at }];
  return [{ rule, start: shift + located.start, end: shift + located.end }];
}

/** The match that was decided at this offset; one that ends earlier if what follows it was only looked at. */
function locateDecided(request: Parameters<typeof locateMatch>[0], decidedAt: number): Located {
  const located = locateMatch({ ...request, decidedAt });
  if (located.kind !== "none") return located;
  return locateMatch({ ...request, text: request.text.slice(0, decidedAt) });
}

/** Nothing gets out that this match, or another that may still come, has claimed. */
function stopAt(state: HoldingState, matches: readonly Match[]): FilterStep {
  const { text } = state;
  const reports = matches.map((match) => reportOf(state, match));
  const write = text.takeTo(Math.min(releasable(state), leftmost(matches)?.start ?? text.base));
  text.unread();
  return { write, reports, end: "stopped" };
}

/** Puts the rule's name in the place of a match; those that overlap it are covered by it. */
function cutOut(state: HoldingState, first: Match, overlapping: readonly Match[]): FilterStep {
  const reports = overlapping.map((match) => reportOf(state, match));
  const write = `${state.text.takeTo(first.start)}[rule:${first.rule.name}]`;
  state.text.dropTo(Math.max(...overlapping.map((match) => match.end)));
  return { write, reports };
}

function leftmost(matches: readonly Match[]): Match | undefined {
  return matches.reduce<Match | undefined>(
    (best, match) => (best === undefined || match.start < best.start ? match : best),
    undefined,
  );
}

function reportOf({ action, text }: HoldingState, { rule, start }: Match): FilterReport {
  const did = action === "stop" ? "stopped" : "redacted";
  return { rule, action: did, position: text.positionOf(start) };
}

function gaveUpNow({ rules, matcher, origin }: HoldingState): readonly FilterGaveUp[] {
  return matcher.gaveUp.flatMap(({ id, at }) => {
    const rule = rules.get(id);
    return rule === undefined ? [] : [{ rule, at: origin + at }];
  });
}

/** Several steps as one, which ends as the last of them. */
function joined(steps: readonly FilterStep[]): FilterStep {
  return {
    ...steps.at(-1),
    write: steps.map(({ write }) => write).join(""),
    reports: steps.flatMap(({ reports }) => reports),
  };
}
