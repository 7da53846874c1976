import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ttsrRuleOf } from "../testing/rules.ts";
import type { TtsrRule } from "./register.ts";
import type { StreamName, WatchFire } from "./stream.ts";
import { initialTtsr, stepTtsr } from "./ttsr.ts";
import type { TtsrEffect, TtsrInput, TtsrStep } from "./ttsr-state.ts";

const RULES: readonly TtsrRule[] = ["always", "never", "prose-only", "tool-only"].flatMap((interruptMode) =>
  ["discard", "keep"].flatMap((contextMode) =>
    ["once", "after-gap"].map((repeatMode) =>
      ttsrRuleOf(
        `${interruptMode}-${contextMode}-${repeatMode}`,
        [
          "condition: a",
          `interruptMode: ${interruptMode}`,
          `contextMode: ${contextMode}`,
          `repeatMode: ${repeatMode}`,
          "repeatGap: 2",
        ].join("\n"),
      ),
    ),
  ),
);

const anyFire: fc.Arbitrary<WatchFire> = fc
  .record({
    rule: fc.constantFrom(...RULES),
    stream: fc.constantFrom<StreamName>("text", "thinking", "tool:write"),
    at: fc.nat(99),
  })
  .map(({ rule, stream, at }) => ({
    rule,
    stream,
    contentIndex: 0,
    ...(stream === "tool:write" ? { toolCallId: "call" } : {}),
    at,
    atEnd: false,
  }));

const anyInput: fc.Arbitrary<TtsrInput> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(anyFire, { maxLength: 3 }).map((fires): TtsrInput => ({ type: "fired", fires })),
  },
  { weight: 2, arbitrary: fc.constant<TtsrInput>({ type: "resumed" }) },
  { weight: 2, arbitrary: fc.constant<TtsrInput>({ type: "messageEnd" }) },
  { weight: 1, arbitrary: fc.constant<TtsrInput>({ type: "messageVoid" }) },
  { weight: 1, arbitrary: fc.constant<TtsrInput>({ type: "toolResult", toolCallId: "call" }) },
  { weight: 2, arbitrary: fc.constant<TtsrInput>({ type: "turnEnd" }) },
);

interface Recorded extends TtsrStep {
  readonly input: TtsrInput;
  readonly turnsBefore: number;
  readonly wasInterrupting: boolean;
}

/** Runs the inputs, then the end of the run; the inputs and states are frozen, so that a change would throw. */
function record(inputs: readonly TtsrInput[]): readonly Recorded[] {
  let state = initialTtsr({ maxInterrupts: 4, maxInterruptsPerRule: 2 });
  return [...inputs, { type: "runEnd" } as const].map((input) => {
    const before = Object.freeze(state);
    const step = stepTtsr(before, input);
    state = step.state;
    return { ...step, input, turnsBefore: before.messageCount, wasInterrupting: before.interrupting };
  });
}

const law = (check: (steps: readonly Recorded[]) => void): void =>
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 40 }), (inputs) => check(record(inputs))),
    { numRuns: 500 },
  );

/** The rules that were injected at each step, with the completed turns before it. */
function injections(
  steps: readonly Recorded[],
): readonly { readonly fire: WatchFire; readonly turn: number }[] {
  return steps.flatMap(({ effects, turnsBefore }) =>
    effects.flatMap((effect) => injectedBy(effect).map((fire) => ({ fire, turn: turnsBefore }))),
  );
}

function injectedBy(effect: TtsrEffect): readonly WatchFire[] {
  switch (effect.type) {
    case "interrupt":
      return [...effect.fires, ...effect.deferred];
    case "remind":
      return effect.fires;
    case "suppressed":
    case "deferred":
      return [];
  }
}

describe("stepTtsr() over any inputs", () => {
  test("injects no rule with repeatMode once twice", () => {
    law((steps) => {
      const names = injections(steps)
        .map(({ fire }) => fire.rule)
        .filter((rule) => rule.repeatMode === "once")
        .map((rule) => rule.name);
      expect(names).toEqual([...new Set(names)]);
    });
  });

  test("lets no rule act twice without its gap", () => {
    law((steps) => {
      const lastAt = new Map<string, number>();
      for (const { state, turnsBefore } of steps) {
        for (const [name, { at }] of state.injected) {
          const last = lastAt.get(name);
          if (last !== undefined && at > last) expect(at - last).toBeGreaterThanOrEqual(2);
          if (at === turnsBefore) lastAt.set(name, at);
        }
        for (const name of lastAt.keys()) if (!state.injected.has(name)) lastAt.delete(name);
      }
    });
  });

  test("loses no match: each is judged once, and each that was put off reminds unless its message became void", () => {
    law((steps) => {
      const given = new Set<WatchFire>();
      for (const { input, wasInterrupting } of steps) {
        if (input.type === "fired" && !wasInterrupting) for (const fire of input.fires) given.add(fire);
      }
      const { state } = steps.at(-1) ?? { state: initialTtsr({ maxInterrupts: 0, maxInterruptsPerRule: 0 }) };
      expect(state.current).toEqual([]);
      expect(state.deferred).toEqual([]);
      const reminded = state.violations.filter(({ outcome }) => outcome === "reminded").length;
      const remindedEffects = injections(steps).filter(({ fire }) =>
        steps.some(({ effects }) =>
          effects.some((effect) => effect.type === "deferred" && effect.fire === fire),
        ),
      ).length;
      expect(remindedEffects).toBe(reminded);
      expect(state.violations.length).toBeLessThanOrEqual(given.size);
      const doubles = steps.reduce((sum, step) => sum + doublesIn(step), 0);
      expect(state.violations.length).toBe(given.size - doubles);
    });
  });

  test("interrupts only while no interrupt is under way, and says when the limit is passed", () => {
    law((steps) => {
      let interrupts = 0;
      for (const { effects, wasInterrupting } of steps) {
        for (const effect of effects) {
          if (effect.type !== "interrupt") continue;
          interrupts += 1;
          expect(wasInterrupting).toBe(false);
          expect(effect.limitReached).toBe(interrupts > 4);
          expect(effect.fires.length).toBe(new Set(effect.fires.map(({ rule }) => rule.name)).size);
        }
      }
      expect(steps.at(-1)?.state.interrupts).toBe(interrupts);
    });
  });
});

/** Matches of a rule that interrupts by another match of the same push: they are not counted again. */
function doublesIn({ effects, input, wasInterrupting }: Recorded): number {
  if (input.type !== "fired" || wasInterrupting) return 0;
  const judged = new Set(effects.flatMap((effect) => ("fire" in effect ? [effect.fire] : effect.fires)));
  return new Set(input.fires.filter((fire) => !judged.has(fire))).size;
}
