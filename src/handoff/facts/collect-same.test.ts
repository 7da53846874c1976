import { expect, test } from "bun:test";
import fc from "fast-check";
import { getBranch } from "../../session/tree.ts";
import { assistantEntry, sessionWith, userEntry } from "../../testing/session-text.ts";
import { handoffPrompt } from "../prompt.ts";
import { collectFacts, collectSession } from "./collect.ts";

const command = fc.constantFrom(
  "npm test",
  "npm test | tail -3",
  'npm test; echo "exit: $?"',
  "git commit -m x",
  "cat a > b.txt",
  "ls",
);
const call = fc.oneof(
  command.map((line) => ({ name: "bash", arguments: { command: line } })),
  fc.constantFrom(
    { name: "read", arguments: { path: "a.ts" } },
    { name: "edit", arguments: { path: "a.ts" } },
    { name: "TodoWrite", arguments: { todos: [{ content: "t", status: "pending" }] } },
    { name: "other", arguments: { q: "x" } },
    { name: "ask", arguments: { q: "which?" } },
  ),
);
const step = fc.oneof(
  fc.record({
    kind: fc.constant("user" as const),
    text: fc.constantFrom("fix it", "never do x", "/model", "", handoffPrompt(undefined)),
  }),
  fc.record({
    kind: fc.constant("assistant" as const),
    stopReason: fc.constantFrom("stop", "toolUse", "aborted", "error"),
    calls: fc.array(call, { maxLength: 3 }),
    discarded: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("result" as const),
    toolCallId: fc.constantFrom("c0", "c1", "c2"),
    text: fc.constantFrom("", "1 failed, 2 passed in 1.2s", "exit: 1", "Exit code: 3\nx", "[main 1a2b3c4] x"),
    isError: fc.boolean(),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function entryOf(step: Step, n: number) {
  const [id, parent] = [`e${n}`, n === 0 ? null : `e${n - 1}`];
  if (step.kind === "user") return userEntry(id, parent, step.text);
  if (step.kind === "assistant") {
    const { stopReason, discarded } = step;
    const content = step.calls.map((each, index) => ({ type: "toolCall", id: `c${index}`, ...each }));
    return { ...assistantEntry(id, parent, { content, stopReason }), ...(discarded ? { discarded } : {}) };
  }
  const { toolCallId, isError, text } = step;
  const content = [{ type: "text", text }];
  const message = { role: "toolResult", toolCallId, toolName: "x", content, isError, timestamp: 1 };
  return { ...userEntry(id, parent), message };
}

test("collectSession() finds what collectFacts() finds, whatever it does not decode", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const session = await sessionWith(...steps.map(entryOf));
      expect(await collectSession(session)).toEqual(collectFacts(session.header, getBranch(session)));
    }),
    { numRuns: 300 },
  );
});
