import { describe, expect, test } from "bun:test";
import { ttsrRuleOf } from "../testing/rules.ts";
import type { TtsrRule } from "./register.ts";
import type { StreamName, WatchFire } from "./stream.ts";
import { hasStandingViolation, initialTtsr, stepTtsr } from "./ttsr.ts";
import type { RestoredInjection, TtsrEffect, TtsrInput, TtsrState } from "./ttsr-state.ts";

const LIMITS = { maxInterrupts: 3, maxInterruptsPerRule: 2 };
const once = ttsrRuleOf("once", "condition: a");
const often = ttsrRuleOf("often", "condition: a\nrepeatMode: after-gap\nrepeatGap: 0");
const gap2 = ttsrRuleOf("gap2", "condition: a\nrepeatMode: after-gap\nrepeatGap: 2");
const keep = ttsrRuleOf("keep", "condition: a\ncontextMode: keep");
const never = ttsrRuleOf("never", "condition: a\ninterruptMode: never");
const nags = ttsrRuleOf("nags", "condition: a\ninterruptMode: never\nrepeatMode: after-gap\nrepeatGap: 0");
const prose = ttsrRuleOf("prose", "condition: a\ninterruptMode: prose-only");
const tool = ttsrRuleOf("tool", "condition: a\ninterruptMode: tool-only");
const mild = ttsrRuleOf("mild", "condition: a\nseverity: warning\nrepeatGap: 5\nrepeatMode: after-gap");

function fire(rule: TtsrRule, stream: StreamName = "text"): WatchFire {
  const call = stream.startsWith("tool:") ? { toolCallId: "call1" } : {};
  return { rule, stream, contentIndex: 0, ...call, at: 1, atEnd: false };
}

const fired = (...fires: readonly WatchFire[]): TtsrInput => ({ type: "fired", fires });
const resumed: TtsrInput = { type: "resumed" };
const messageEnd: TtsrInput = { type: "messageEnd" };
const messageVoid: TtsrInput = { type: "messageVoid" };
const turnEnd: TtsrInput = { type: "turnEnd" };
const runEnd: TtsrInput = { type: "runEnd" };
const toolResult = (toolCallId: string): TtsrInput => ({ type: "toolResult", toolCallId });

/** An effect in one line. */
function inWords(effect: TtsrEffect): string {
  switch (effect.type) {
    case "interrupt": {
      const names = [...effect.fires, ...effect.deferred].map(({ rule }) => rule.name).join("+");
      return `interrupt ${names} ${effect.contextMode}${effect.limitReached ? " limit" : ""}`;
    }
    case "suppressed":
      return `suppressed ${effect.fire.rule.name}: ${effect.reason}`;
    case "deferred":
      return `deferred ${effect.fire.rule.name}`;
    case "remind":
      return `remind ${effect.fires.map(({ rule }) => rule.name).join("+")}`;
  }
}

interface Run {
  readonly state: TtsrState;
  readonly effects: readonly (readonly string[])[];
}

function run(inputs: readonly TtsrInput[], injected: readonly RestoredInjection[] = []): Run {
  let state = initialTtsr(LIMITS, injected);
  const effects = inputs.map((input) => {
    const step = stepTtsr(state, input);
    state = step.state;
    return step.effects.map(inWords);
  });
  return { state, effects };
}

const ONCE_SUPPRESSED = "suppressed once: it has fired in this session already (repeatMode: once)";

const TABLE: readonly {
  readonly when: string;
  readonly inputs: readonly TtsrInput[];
  readonly injected?: readonly RestoredInjection[];
  readonly effects: readonly (readonly string[])[];
  readonly outcomes: readonly string[];
}[] = [
  {
    when: "nothing fires",
    inputs: [fired(), messageEnd, turnEnd, runEnd],
    effects: [[], [], [], []],
    outcomes: [],
  },
  {
    when: "a rule fires: the text is discarded",
    inputs: [fired(fire(once)), resumed],
    effects: [["interrupt once discard"], []],
    outcomes: ["once discarded"],
  },
  {
    when: "a rule that keeps fires",
    inputs: [fired(fire(keep)), resumed],
    effects: [["interrupt keep keep"], []],
    outcomes: ["keep kept"],
  },
  {
    when: "rules fire together: one interrupt, discarding if one wants that",
    inputs: [fired(fire(keep), fire(once)), resumed],
    effects: [["interrupt keep+once discard"], []],
    outcomes: ["keep discarded", "once discarded"],
  },
  {
    when: "the same rule fires twice in one push",
    inputs: [fired(fire(once), fire(once, "tool:write")), resumed],
    effects: [["interrupt once discard"], []],
    outcomes: ["once discarded"],
  },
  {
    when: "more fires before the model is asked again: it is ignored",
    inputs: [fired(fire(once)), fired(fire(keep)), resumed, fired(fire(keep))],
    effects: [["interrupt once discard"], [], [], ["interrupt keep keep"]],
    outcomes: ["once discarded", "keep kept"],
  },
  {
    when: "a rule with repeatMode once fires again",
    inputs: [fired(fire(once)), resumed, fired(fire(once)), messageEnd],
    effects: [["interrupt once discard"], [], [ONCE_SUPPRESSED], []],
    outcomes: ["once discarded", "once suppressed"],
  },
  {
    when: "a suppressed match is in a message that becomes void",
    inputs: [fired(fire(once)), resumed, fired(fire(once)), messageVoid],
    effects: [["interrupt once discard"], [], [ONCE_SUPPRESSED], []],
    outcomes: ["once discarded", "once discarded"],
  },
  {
    when: "a rule with a gap fires too early, and again after enough completed turns",
    inputs: [fired(fire(gap2)), resumed, turnEnd, fired(fire(gap2)), messageEnd, turnEnd, fired(fire(gap2))],
    effects: [
      ["interrupt gap2 discard"],
      [],
      [],
      ["suppressed gap2: 1 of 2 turns have passed since it fired (repeatGap)"],
      [],
      [],
      ["interrupt gap2 discard"],
    ],
    outcomes: ["gap2 discarded", "gap2 suppressed", "gap2 discarded"],
  },
  {
    when: "a rule was injected earlier in the session",
    inputs: [fired(fire(once)), fired(fire(gap2))],
    injected: [
      { name: "once", age: 50 },
      { name: "gap2", age: 7 },
      { name: "gap2", age: 2 },
    ],
    effects: [[ONCE_SUPPRESSED], ["interrupt gap2 discard"]],
    outcomes: ["once discarded", "gap2 discarded"],
  },
  {
    when: "the youngest of its injections is too young",
    inputs: [fired(fire(gap2)), messageEnd],
    injected: [
      { name: "gap2", age: 1 },
      { name: "gap2", age: 7 },
    ],
    effects: [["suppressed gap2: 1 of 2 turns have passed since it fired (repeatGap)"], []],
    outcomes: ["gap2 suppressed"],
  },
  {
    when: "one noisy rule goes past maxInterruptsPerRule: it only reports, others still act",
    inputs: [
      fired(fire(often)),
      resumed,
      fired(fire(often)),
      resumed,
      fired(fire(often)),
      messageEnd,
      fired(fire(once)),
    ],
    effects: [
      ["interrupt often discard"],
      [],
      ["interrupt often discard"],
      [],
      ["suppressed often: it has had its say 2 times in this run (ttsr.maxInterruptsPerRule)"],
      [],
      ["interrupt once discard"],
    ],
    outcomes: ["often discarded", "often discarded", "often suppressed", "once discarded"],
  },
  {
    when: "interrupts go past maxInterrupts",
    inputs: [
      fired(fire(often)),
      resumed,
      fired(fire(often)),
      resumed,
      fired(fire(once)),
      resumed,
      fired(fire(keep)),
    ],
    effects: [
      ["interrupt often discard"],
      [],
      ["interrupt often discard"],
      [],
      ["interrupt once discard"],
      [],
      ["interrupt keep keep limit"],
    ],
    outcomes: ["often discarded", "often discarded", "once discarded", "keep kept"],
  },
  {
    when: "a rule never interrupts: it reminds after the turn, once",
    inputs: [fired(fire(never)), messageEnd, turnEnd, fired(fire(never)), messageEnd, turnEnd],
    effects: [
      ["deferred never"],
      [],
      ["remind never"],
      ["suppressed never: it has fired in this session already (repeatMode: once)"],
      [],
      [],
    ],
    outcomes: ["never reminded", "never suppressed"],
  },
  {
    when: "a rule reminds after turn upon turn: past maxInterruptsPerRule it only reports",
    inputs: Array.from({ length: 3 }, () => [fired(fire(nags)), messageEnd, turnEnd]).flat(),
    effects: [
      ["deferred nags"],
      [],
      ["remind nags"],
      ["deferred nags"],
      [],
      ["remind nags"],
      ["suppressed nags: it has had its say 2 times in this run (ttsr.maxInterruptsPerRule)"],
      [],
      [],
    ],
    outcomes: ["nags reminded", "nags reminded", "nags suppressed"],
  },
  {
    when: "a match in a tool call only reminds: after that call's result",
    inputs: [fired(fire(never, "tool:bash")), messageEnd, toolResult("call0"), toolResult("call1"), turnEnd],
    effects: [["deferred never"], [], [], ["remind never"], []],
    outcomes: ["never reminded"],
  },
  {
    when: "prose-only and tool-only rules match the other kind",
    inputs: [fired(fire(prose, "tool:bash"), fire(tool)), messageEnd, turnEnd],
    effects: [["deferred prose", "deferred tool"], [], ["remind prose+tool"]],
    outcomes: ["prose reminded", "tool reminded"],
  },
  {
    when: "prose-only and tool-only rules match their own kind",
    inputs: [fired(fire(prose, "thinking"), fire(tool, "tool:bash"))],
    effects: [["interrupt prose+tool discard"]],
    outcomes: ["prose discarded", "tool discarded"],
  },
  {
    when: "a match that would remind is in a message that becomes void: the rule is armed again",
    inputs: [fired(fire(never)), messageVoid, turnEnd, fired(fire(never)), messageEnd, runEnd],
    effects: [["deferred never"], [], [], ["deferred never"], [], ["remind never"]],
    outcomes: ["never discarded", "never reminded"],
  },
  {
    when: "an interrupt discards a message with a match that would remind",
    inputs: [fired(fire(never)), fired(fire(once)), resumed, fired(fire(never)), messageEnd, turnEnd],
    effects: [["deferred never"], ["interrupt once discard"], [], ["deferred never"], [], ["remind never"]],
    outcomes: ["never discarded", "once discarded", "never reminded"],
  },
  {
    when: "an interrupt keeps a message with a match that would remind: one reminder for both",
    inputs: [fired(fire(never)), fired(fire(keep)), resumed, turnEnd],
    effects: [["deferred never"], ["interrupt keep+never keep"], [], []],
    outcomes: ["never reminded", "keep kept"],
  },
  {
    when: "the run ends while reminders are due",
    inputs: [fired(fire(never)), runEnd, runEnd],
    effects: [["deferred never"], ["remind never"], []],
    outcomes: ["never reminded"],
  },
];

describe("stepTtsr()", () => {
  test.each([...TABLE])("does what it must when $when", ({ inputs, injected, effects, outcomes }) => {
    const ran = run(inputs, injected);
    expect(ran.effects).toEqual(effects);
    expect(ran.state.violations.map(({ rule, outcome }) => `${rule} ${outcome}`)).toEqual([...outcomes]);
  });
});

describe("hasStandingViolation()", () => {
  test.each([
    ["a discarded match", [fired(fire(once)), resumed], false],
    ["a kept match", [fired(fire(keep)), resumed], true],
    ["a suppressed match that stays", [fired(fire(once)), resumed, fired(fire(once)), messageEnd], true],
    ["a match that was only reminded of", [fired(fire(never)), messageEnd], true],
    ["a suppressed warning", [fired(fire(mild)), resumed, fired(fire(mild)), messageEnd], false],
  ] as const)("for %s", (_, inputs, stands) => {
    expect(hasStandingViolation(run(inputs).state)).toBe(stands);
  });
});
