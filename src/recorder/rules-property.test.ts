// Random conversations under random rules: whatever happens, the session file says what the model is asked with, no rule
// is injected without its gap, none is lost, and discarded text never comes back.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AgentEvent } from "../agent/events.ts";
import { runAgent } from "../agent/loop.ts";
import { toModelMessages } from "../model/context.ts";
import type { ModelMessage } from "../model/messages.ts";
import type { Model, ModelEvent, ModelRequest } from "../model/model.ts";
import { buildSessionContext } from "../session/context.ts";
import { newHeader } from "../session/header.ts";
import { readSession } from "../session/open.ts";
import { memoryWriter } from "../session/writer.ts";
import { testTool } from "../testing/collect-events.ts";
import { expectRecords } from "../testing/event-schema.ts";
import { guardedRun } from "../testing/guarded-run.ts";
import { ruleOf } from "../testing/rules.ts";
import { calls, fails, says, scriptedModel } from "../testing/scripted-model.ts";
import { createRecorder } from "./recorder.ts";

interface RuleWish {
  readonly word: string;
  readonly contextMode: "discard" | "keep";
  readonly interruptMode: "always" | "prose-only" | "tool-only" | "never";
  readonly repeat: "once" | 0 | 2;
}

const word = fc.constantFrom("fine", "alpha", "beta", "gamma");
const words = fc.array(word, { minLength: 1, maxLength: 4 });
const turn = fc.oneof(
  { weight: 3, arbitrary: words.map((said) => ({ kind: "text" as const, said })) },
  {
    weight: 3,
    arbitrary: fc
      .array(words, { minLength: 1, maxLength: 3 })
      .map((said) => ({ kind: "calls" as const, said })),
  },
  { weight: 1, arbitrary: words.map((said) => ({ kind: "fails" as const, said })) },
);
const rule: fc.Arbitrary<RuleWish> = fc.record({
  word: fc.constantFrom("alpha", "beta", "gamma"),
  contextMode: fc.constantFrom("discard" as const, "keep" as const),
  interruptMode: fc.constantFrom(
    "always" as const,
    "prose-only" as const,
    "tool-only" as const,
    "never" as const,
  ),
  repeat: fc.constantFrom("once" as const, 0 as const, 2 as const),
});

type Turn =
  | { readonly kind: "text" | "fails"; readonly said: readonly string[] }
  | { readonly kind: "calls"; readonly said: readonly (readonly string[])[] };

let nextCall = 0;

function scriptOf(turn: Turn): readonly ModelEvent[] {
  switch (turn.kind) {
    case "text":
      return says(...turn.said.map((each) => `${each} `));
    case "fails":
      return fails(turn.said.join(" "));
    case "calls":
      return calls(
        ...turn.said.map((said) => ({
          id: `c${nextCall++}`,
          name: "note",
          arguments: { text: said.join(" ") },
        })),
      );
  }
}

function rulesOf(wishes: readonly RuleWish[]) {
  return wishes.map(({ word: condition, contextMode, interruptMode, repeat }, index) => {
    const mode = repeat === "once" ? "repeatMode: once" : `repeatMode: after-gap\nrepeatGap: ${repeat}`;
    return ruleOf(
      `r${index}`,
      `condition: ${condition}\ncontextMode: ${contextMode}\ninterruptMode: ${interruptMode}\n${mode}`,
    );
  });
}

/** What the file would ask with, as the requests are compared: without times. */
const bare = (messages: readonly ModelMessage[]) => messages.map(({ timestamp: _, ...rest }) => rest);

test("a session that rules interrupt is always the one that the model is asked with", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { maxLength: 10 }),
      fc.array(rule, { maxLength: 3 }),
      async (turns, wishes) => {
        const writer = memoryWriter(newHeader({ cwd: "/project" }));
        const scripts = [...turns.map(scriptOf), ...Array.from({ length: 30 }, () => says("end"))];
        const scripted = scriptedModel(scripts);
        const fromFile: (readonly object[])[] = [];
        const model: Model = {
          ...scripted,
          async *stream(request: ModelRequest, signal) {
            const session = await readSession(writer.lines());
            fromFile.push(bare(toModelMessages(buildSessionContext(session).messages)));
            yield* scripted.stream(request, signal);
          },
        };
        const rules = rulesOf(wishes);
        const run = guardedRun(model, {
          rules,
          tools: { offered: [testTool("note")], withheld: [] },
          retry: { attempts: 20, baseDelayMs: 0 },
          limits: { maxTurns: 40 },
          ttsr: { maxInterrupts: 50, maxInterruptsPerRule: 50 },
        });
        const recorder = createRecorder(writer);
        const events: AgentEvent[] = [];
        for await (const event of runAgent(run, new AbortController().signal)) {
          recorder.record(event);
          events.push(event);
        }
        expectRecords(events.filter((event) => event.type !== "branch"));
        expect(fromFile).toEqual(scripted.requests.map(({ messages }) => bare(messages)));
        checkInjections(events, wishes);
        checkDiscarded(events, scripted.requests);
      },
    ),
    { numRuns: 150 },
  );
});

/** Each rule that was announced is injected, and never again before its gap has passed. */
function checkInjections(events: readonly AgentEvent[], wishes: readonly RuleWish[]): void {
  const announced = new Map<string, number>();
  const injected = new Map<string, number>();
  const count = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1);
  let completed = 0;
  const last = new Map<string, number>();
  for (const event of events) {
    if (event.type === "turn_end" && !event.interrupted) completed += 1;
    if (event.type === "ttsr_triggered") {
      for (const { name } of event.rules) {
        const { repeat } = wishes[Number(name.slice(1))] ?? { repeat: "once" };
        const before = last.get(name);
        if (before !== undefined) expect(repeat !== "once" && completed - before >= repeat).toBe(true);
        count(announced, name);
      }
      if (event.reason === undefined) for (const { name } of event.rules) last.set(name, completed);
    }
    if (event.type === "branch") for (const name of event.injectedRules) count(injected, name);
  }
  for (const name of injected.keys()) expect(announced.has(name)).toBe(true);
  const interrupting = events.flatMap((event) =>
    event.type === "ttsr_triggered" && event.reason === undefined ? event.rules.map(({ name }) => name) : [],
  );
  for (const name of new Set(interrupting)) expect(injected.has(name)).toBe(true);
}

/** No request after a discarded message has it. */
function checkDiscarded(events: readonly AgentEvent[], requests: readonly ModelRequest[]): void {
  const discarded = new Set(
    events.flatMap((event) =>
      event.type === "message_end" && event.discarded === true ? [event.message] : [],
    ),
  );
  for (const request of requests) {
    for (const message of request.messages) expect(discarded.has(message)).toBe(false);
  }
}
