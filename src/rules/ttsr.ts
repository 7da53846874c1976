// The policy of rules in a stream: which fire interrupts, which only reminds, which is only reported. One state, changed
// by pure transitions; the loop carries the state and does what the effects say.
//
//   idle ── fired (eligible) ──> interrupting ── resumed ──> idle
//
// While interrupting, what still arrives is ignored. A message's matches are provisional until it is known whether the
// message stays (`messageEnd`) or is void (`messageVoid`, or an interrupt with `discard`).

import { plural } from "../base/text.ts";
import type { TtsrSettings } from "../settings/settings.ts";
import type { WatchFire } from "./stream.ts";
import type {
  CurrentMatch,
  Injection,
  RestoredInjection,
  TtsrEffect,
  TtsrInput,
  TtsrState,
  TtsrStep,
  Violation,
  ViolationOutcome,
} from "./ttsr-state.ts";

/** The state of a new run. Counters start at zero; `injected` rules of the session's branch keep their age. */
export function initialTtsr(
  limits: Pick<TtsrSettings, "maxInterrupts" | "maxInterruptsPerRule">,
  injected: readonly RestoredInjection[] = [],
): TtsrState {
  return {
    limits,
    messageCount: 0,
    injected: restoreInjected(injected),
    interrupts: 0,
    interruptsOf: new Map(),
    interrupting: false,
    deferred: [],
    current: [],
    violations: [],
  };
}

/** Of several injections of one rule the youngest counts. */
export function restoreInjected(injected: readonly RestoredInjection[]): ReadonlyMap<string, Injection> {
  const restored = new Map<string, Injection>();
  for (const { name, age } of injected) {
    const before = restored.get(name);
    if (before === undefined || before.at < -age) restored.set(name, { at: -age });
  }
  return restored;
}

/** The one transition function. Pure: the given state is not changed. */
export function stepTtsr(state: TtsrState, input: TtsrInput): TtsrStep {
  switch (input.type) {
    case "fired":
      return state.interrupting || input.fires.length === 0 ? quiet(state) : decide(state, input.fires);
    case "resumed":
      return quiet({ ...state, interrupting: false });
    case "messageEnd":
      return quiet(keepMessage(state));
    case "messageVoid":
      return quiet(voidMessage(state));
    case "toolResult":
      return remind(state, (fire) => fire.toolCallId === input.toolCallId);
    case "turnEnd":
      return remindAfterTurn({ ...state, messageCount: state.messageCount + 1 });
    case "runEnd":
      return remind({ ...keepMessage(state), interrupting: false }, () => true);
  }
}

/** True if a matched text of severity `error` stayed on the branch: what `--fail-on-violation` asks. */
export function hasStandingViolation(state: TtsrState): boolean {
  return state.violations.some(({ severity, outcome }) => severity === "error" && outcome !== "discarded");
}

/** A call in which a rule of severity `error` matched and that was not cut. */
export interface ViolatingCall {
  readonly toolCallId: string;
  readonly rule: string;
}

/** The violating calls of the message that is being received. */
export function violatingCalls(state: TtsrState): readonly ViolatingCall[] {
  return state.current.flatMap(({ fire: { toolCallId, rule } }) =>
    toolCallId === undefined || rule.rule.severity !== "error" ? [] : [{ toolCallId, rule: rule.name }],
  );
}

function quiet(state: TtsrState): TtsrStep {
  return { state, effects: [] };
}

/** Sorts the fires of one push: those that interrupt do so together; the rest is reported or put off. */
function decide(state: TtsrState, fires: readonly WatchFire[]): TtsrStep {
  const interrupting: WatchFire[] = [];
  const current: CurrentMatch[] = [];
  const effects: TtsrEffect[] = [];
  const injected = new Map(state.injected);
  for (const fire of fires) {
    const { name } = fire.rule;
    const before = injected.get(name);
    const reason = suppressionOf({ ...state, injected }, fire);
    if (reason !== undefined) {
      if (interrupting.some((other) => other.rule.name === name)) continue;
      effects.push({ type: "suppressed", fire, reason });
      current.push({ fire, outcome: "suppressed", before });
      continue;
    }
    injected.set(name, { at: state.messageCount });
    if (interrupts(fire)) {
      interrupting.push(fire);
      continue;
    }
    effects.push({ type: "deferred", fire });
    current.push({ fire, outcome: "reminded", before });
  }
  const next: TtsrState = { ...state, injected, current: [...state.current, ...current] };
  if (interrupting.length === 0) return { state: next, effects };
  const interrupted = interrupt(next, interrupting);
  return { state: interrupted.state, effects: [...interrupted.effects, ...effects] };
}

/** Why a rule may not act on its match now; undefined if it may. */
function suppressionOf(state: TtsrState, { rule }: WatchFire): string | undefined {
  const times = state.interruptsOf.get(rule.name) ?? 0;
  if (times >= state.limits.maxInterruptsPerRule) {
    return `it has had its say ${plural(times, "time")} in this run (ttsr.maxInterruptsPerRule)`;
  }
  const last = state.injected.get(rule.name);
  if (last === undefined) return undefined;
  if (rule.repeatMode === "once") return "it has fired in this session already (repeatMode: once)";
  const turns = state.messageCount - last.at;
  return turns >= rule.repeatGap
    ? undefined
    : `${turns} of ${plural(rule.repeatGap, "turn")} have passed since it fired (repeatGap)`;
}

/** Whether a match in this stream may interrupt, or only reminds. */
function interrupts({ rule, stream }: WatchFire): boolean {
  const isTool = stream.startsWith("tool:");
  switch (rule.interruptMode) {
    case "always":
      return true;
    case "prose-only":
      return !isTool;
    case "tool-only":
      return isTool;
    case "never":
      return false;
  }
}

/** One rule that wants the text gone is enough to discard it. */
function interrupt(state: TtsrState, fires: readonly WatchFire[]): TtsrStep {
  const contextMode = fires.some(({ rule }) => rule.contextMode === "discard") ? "discard" : "keep";
  const settled = contextMode === "discard" ? voidMessage(state) : keepMessage(state);
  const deferred = contextMode === "keep" ? settled.deferred : [];
  const outcome = contextMode === "discard" ? "discarded" : "kept";
  const next: TtsrState = {
    ...settled,
    interrupting: true,
    interrupts: state.interrupts + 1,
    interruptsOf: countedOnce(state.interruptsOf, fires),
    deferred: settled.deferred.slice(deferred.length),
    violations: [...settled.violations, ...fires.map((fire) => violation(fire, outcome))],
  };
  const limitReached = next.interrupts > state.limits.maxInterrupts;
  return {
    state: next,
    effects: [{ type: "interrupt", fires, deferred, contextMode, limitReached }],
  };
}

function countedOnce(
  counts: ReadonlyMap<string, number>,
  fires: readonly WatchFire[],
): ReadonlyMap<string, number> {
  const counted = new Map(counts);
  for (const name of new Set(fires.map(({ rule }) => rule.name)))
    counted.set(name, (counted.get(name) ?? 0) + 1);
  return counted;
}

/** The message stays: what it matched stands, and its reminders are due. */
function keepMessage(state: TtsrState): TtsrState {
  if (state.current.length === 0) return state;
  const reminded = state.current.filter(({ outcome }) => outcome === "reminded");
  return {
    ...state,
    current: [],
    deferred: [...state.deferred, ...reminded.map(({ fire }) => fire)],
    violations: [...state.violations, ...state.current.map(({ fire, outcome }) => violation(fire, outcome))],
  };
}

/** The message is gone: its matches with it, and rules that were to remind of it are armed as before. */
function voidMessage(state: TtsrState): TtsrState {
  if (state.current.length === 0) return state;
  const injected = new Map(state.injected);
  for (const { fire, outcome, before } of state.current.toReversed()) {
    if (outcome !== "reminded") continue;
    if (before === undefined) injected.delete(fire.rule.name);
    else injected.set(fire.rule.name, before);
  }
  const gone = state.current.map(({ fire }) => violation(fire, "discarded"));
  return { ...state, injected, current: [], violations: [...state.violations, ...gone] };
}

function remind(state: TtsrState, isDue: (fire: WatchFire) => boolean): TtsrStep {
  const due = state.deferred.filter(isDue);
  if (due.length === 0) return quiet(state);
  const deferred = state.deferred.filter((fire) => !isDue(fire));
  return { state: { ...state, deferred }, effects: [{ type: "remind", fires: due }] };
}

/** One more request is made for such a reminder, as for an interrupt: it counts as one, so that they have an end. */
function remindAfterTurn(state: TtsrState): TtsrStep {
  const interruptsOf = countedOnce(state.interruptsOf, state.deferred);
  return remind({ ...state, interruptsOf }, () => true);
}

function violation(fire: WatchFire, outcome: ViolationOutcome): Violation {
  const { rule, stream, toolCallId, path, at } = fire;
  return {
    rule: rule.name,
    severity: rule.rule.severity,
    stream,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(path === undefined ? {} : { path }),
    at,
    outcome,
  };
}
