// What the loop asks of the rules, and nothing more: streams go in, reactions come out. One guard serves one run; it
// holds the watch over the streams and the state of the policy, and turns fires into events and reminders.

import type { CustomMessage } from "../model/messages.ts";
import type { ModelEvent } from "../model/model.ts";
import type { TtsrRule } from "../rules/register.ts";
import { buildReminder, type ReminderOccasion } from "../rules/reminder.ts";
import type { WatchedArguments, WatchFire } from "../rules/stream.ts";
import {
  hasStandingViolation,
  initialTtsr,
  stepTtsr,
  type ViolatingCall,
  violatingCalls,
} from "../rules/ttsr.ts";
import type { RestoredInjection, TtsrEffect, TtsrInput, Violation } from "../rules/ttsr-state.ts";
import { createWatch } from "../rules/watch.ts";
import type { TtsrSettings } from "../settings/settings.ts";
import type { ToolSet } from "../tools/tool.ts";
import type { TtsrEvent } from "./events.ts";

/** A reminder to inject, with the names of its rules. */
export interface Injection {
  readonly reminder: CustomMessage;
  readonly injectedRules: readonly string[];
}

/** Rules that fired now and interrupt: one window, one injection for all of them. */
export interface Interrupt extends Injection {
  readonly mode: "discard" | "keep";
  readonly events: readonly TtsrEvent[];
  /** The run has had all the interrupts that it may have: it ends after this one is written. */
  readonly last: boolean;
  readonly delayMs: number;
}

export interface Reaction {
  /** Matches to report that interrupt nothing. */
  readonly reports: readonly TtsrEvent[];
  readonly interrupt: Interrupt | undefined;
  /** What a person should know, as that a rule gave up. */
  readonly notices: readonly string[];
}

export interface RuleGuard {
  /** A request begins: every stream is new. */
  begin(): void;
  /** What one event of the stream makes the rules do. After an interrupt nothing more is pushed until `begin`. */
  push(event: ModelEvent): Reaction;
  /** The message is whole and stays. Gives its calls that rules forbid, as far as no rule interrupted. */
  messageStays(): readonly ViolatingCall[];
  /** The attempt failed: what was seen in it is void. */
  messageVoid(): void;
  /** A turn that no rule interrupted is over, these calls having their results: what is to be reminded of now. */
  turnCompleted(toolCallIds: readonly string[]): Injection | undefined;
  /** The run is over: what was still to be reminded of. */
  runEnded(): Injection | undefined;
  /** What the rules matched in this run, and what became of it. */
  violations(): readonly Violation[];
  /** Whether a matched text of severity `error` stays on the branch. */
  hasStandingViolation(): boolean;
}

export interface GuardOptions {
  readonly rules: readonly TtsrRule[];
  readonly settings: TtsrSettings;
  /** Paths of tool calls are taken relative to it. */
  readonly cwd: string;
  readonly tools: ToolSet;
  /** Rules that the session's branch has reminders of. */
  readonly injected: readonly RestoredInjection[];
  readonly now?: () => number;
}

const NO_REACTION: Reaction = { reports: [], interrupt: undefined, notices: [] };

/** The guard of one run. */
export function createRuleGuard(options: GuardOptions): RuleGuard {
  const now = options.now ?? Date.now;
  const watch = createWatch(options.rules, { cwd: options.cwd, watched: watchedArguments(options.tools) });
  let state = initialTtsr(options.settings, options.injected);
  const step = (input: TtsrInput): readonly TtsrEffect[] => {
    const next = stepTtsr(state, input);
    state = next.state;
    return next.effects;
  };
  const remindOf = (effects: readonly TtsrEffect[]): Injection | undefined => {
    const due = effects.flatMap((effect) => (effect.type === "remind" ? effect.fires : []));
    return due.length === 0 ? undefined : injectionOf(due, "reminded", now());
  };
  return {
    begin() {
      step({ type: "resumed" });
      watch.push({ type: "start" });
    },
    push(event) {
      const fires = watch.push(event);
      const notices = watch
        .takeGaveUp()
        .map(
          ({ rule, stream }) =>
            `rule ${rule.name} stopped looking in ${stream}: its pattern costs too much there`,
        );
      if (fires.length === 0) return notices.length === 0 ? NO_REACTION : { ...NO_REACTION, notices };
      const effects = step({ type: "fired", fires });
      return { ...reactionOf(effects, options.settings.retryDelayMs, now()), notices };
    },
    messageStays() {
      const calls = violatingCalls(state);
      step({ type: "messageEnd" });
      return calls;
    },
    messageVoid: () => void step({ type: "messageVoid" }),
    turnCompleted: (toolCallIds) =>
      remindOf([
        ...toolCallIds.flatMap((toolCallId) => step({ type: "toolResult", toolCallId })),
        ...step({ type: "turnEnd" }),
      ]),
    runEnded: () => remindOf(step({ type: "runEnd" })),
    violations: () => state.violations,
    hasStandingViolation: () => hasStandingViolation(state),
  };
}

/** A model may call a tool that it was not offered: rules see of that call what they see of one that is run. */
function watchedArguments({ offered, withheld }: ToolSet): ReadonlyMap<string, WatchedArguments> {
  const tools = [...withheld, ...offered.map(({ spec, watched }) => ({ name: spec.name, watched }))];
  return new Map(
    tools.flatMap(({ name, watched }) => (watched === undefined ? [] : [[name, watched] as const])),
  );
}

function reactionOf(effects: readonly TtsrEffect[], delayMs: number, now: number): Omit<Reaction, "notices"> {
  const reports: TtsrEvent[] = [];
  let interrupt: Interrupt | undefined;
  for (const effect of effects) {
    switch (effect.type) {
      case "interrupt":
        interrupt = {
          ...injectionOf(
            [...effect.fires, ...effect.deferred],
            effect.contextMode === "keep" ? "kept" : "discarded",
            now,
          ),
          mode: effect.contextMode,
          events: eventsOf(effect.fires),
          last: effect.limitReached,
          delayMs,
        };
        break;
      case "suppressed":
        reports.push({ ...eventOf("ttsr_suppressed", [effect.fire]), reason: effect.reason });
        break;
      case "deferred":
        reports.push({
          ...eventOf("ttsr_triggered", [effect.fire]),
          reason: "it reminds afterwards (interruptMode)",
        });
        break;
      case "remind":
        break;
    }
  }
  return { reports, interrupt };
}

function injectionOf(fires: readonly WatchFire[], occasion: ReminderOccasion, timestamp: number): Injection {
  const reminder = buildReminder(fires, occasion);
  return { reminder: { role: "custom", ...reminder, timestamp }, injectedRules: reminder.details.rules };
}

/** One event for each place at which rules fired. */
function eventsOf(fires: readonly WatchFire[]): readonly TtsrEvent[] {
  const places = Map.groupBy(fires, (fire) => `${fire.stream} ${fire.toolCallId ?? ""} ${fire.at}`);
  return [...places.values()].map((together) => eventOf("ttsr_triggered", together));
}

function eventOf(type: TtsrEvent["type"], fires: readonly WatchFire[]): TtsrEvent {
  const first = fires[0];
  return {
    type,
    rules: fires.map(({ rule }) => ({
      name: rule.name,
      path: rule.rule.displayPath,
      severity: rule.rule.severity,
    })),
    stream: first?.stream ?? "text",
    ...(first?.toolCallId === undefined ? {} : { toolCallId: first.toolCallId }),
    at: first?.at ?? 0,
  };
}
