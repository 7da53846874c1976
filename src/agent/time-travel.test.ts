import { expect, test } from "bun:test";
import { collectEvents, testTool } from "../testing/collect-events.ts";
import { guardedRun } from "../testing/guarded-run.ts";
import { ruleOf } from "../testing/rules.ts";
import { answer, calls, says, scriptedModel } from "../testing/scripted-model.ts";
import type { AgentEvent } from "./events.ts";
import { runAgent } from "./loop.ts";

const NO_ANY = ruleOf("no-any", "condition: ': any'");
const prompt = { role: "user", content: "Hi", timestamp: 0 } as const;

function reminder(happened: string, rule = "no-any") {
  const content = [
    `<system-interrupt reason="rule_violation" rule="${rule}" path=".agent/rules/${rule}.md">`,
    happened,
    "",
    `Do not do what ${rule} forbids.`,
    "</system-interrupt>",
  ].join("\n");
  const details = { rules: [rule] };
  return {
    role: "custom",
    customType: "ttsr-injection",
    content,
    display: false,
    details,
    timestamp: 0,
  } as const;
}

const REMOVED = reminder(
  "Your answer matched the rule below, so it was stopped and removed; none of it took effect. Go on with the task and follow the rule.",
);

/** Types of events, the ones that every message has left out. */
function outline(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type.startsWith("message_") ? [] : [event.type]));
}

test("runAgent() goes back to before a text that a rule forbids", async () => {
  const model = scriptedModel([[...says("x", ": any", " = 1").slice(0, 4), "hang"], says("x: unknown")]);
  const events = await collectEvents(guardedRun(model, { rules: [NO_ANY] }));
  const partial = answer([{ type: "text", text: "x: any" }], "aborted");
  expect(outline(events)).toEqual([
    "agent_start",
    "turn_start",
    "ttsr_triggered",
    "branch",
    "turn_end",
    "turn_start",
    "turn_end",
    "agent_end",
  ]);
  expect(events.find((event) => event.type === "branch")).toEqual({
    type: "branch",
    mode: "discard",
    partial,
    results: [],
    reminder: REMOVED,
    injectedRules: ["no-any"],
  });
  expect(
    events
      .filter((event) => event.type === "message_end")
      .map(({ message, discarded }) => [message, discarded]),
  ).toEqual([
    [prompt, undefined],
    [partial, true],
    [REMOVED, undefined],
    [answer([{ type: "text", text: "x: unknown" }]), undefined],
  ]);
  expect(model.requests[1]?.messages).toEqual([
    prompt,
    { role: "user", content: REMOVED.content, timestamp: 0 },
  ]);
});

test("runAgent() closes the request before it tells of a rule", async () => {
  const model = scriptedModel([says("x", ": any", " = 1"), says("fine")]);
  const log: string[] = [];
  for await (const event of runAgent(guardedRun(model, { rules: [NO_ANY] }), new AbortController().signal)) {
    if (event.type === "ttsr_triggered") log.push(...model.log);
  }
  expect(log).toEqual(["open", "closed"]);
});

test("runAgent() counts no turn that a rule interrupted", async () => {
  const model = scriptedModel([says(": any"), says("fine")]);
  const events = await collectEvents(guardedRun(model, { rules: [NO_ANY], limits: { maxTurns: 1 } }));
  expect(
    events.filter((event) => event.type === "turn_end").map(({ turn, interrupted }) => [turn, interrupted]),
  ).toEqual([
    [1, true],
    [1, false],
  ]);
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "stop" });
});

test("runAgent() keeps the text with contextMode keep, and answers its calls", async () => {
  const rule = ruleOf("no-any", "condition: ': any'\ncontextMode: keep");
  const call = { type: "toolCall", id: "c1", name: "now", arguments: {} } as const;
  const model = scriptedModel([
    [
      { type: "start" },
      { type: "toolcall_start", contentIndex: 0, id: "c1", name: "now" },
      { type: "toolcall_end", contentIndex: 0, toolCall: call },
      { type: "text_delta", contentIndex: 1, delta: "x: any" },
      "hang",
    ],
    says("fine"),
  ]);
  const tools = { offered: [testTool("now")], withheld: [] };
  const events = await collectEvents(guardedRun(model, { rules: [rule], tools }));
  expect(outline(events)).not.toContain("tool_execution_start");
  const kept = answer([call, { type: "text", text: "x: any" }], "aborted");
  const result = {
    role: "toolResult",
    toolCallId: "c1",
    toolName: "now",
    content: [{ type: "text", text: "not run, interrupted by rule no-any" }],
    isError: true,
    timestamp: 0,
  } as const;
  expect(model.requests[1]?.messages.slice(0, 3)).toEqual([prompt, kept, result]);
  expect(
    events
      .filter((event) => event.type === "message_end")
      .map(({ message, discarded }) => [message.role, discarded]),
  ).toEqual([
    ["user", undefined],
    ["assistant", undefined],
    ["toolResult", undefined],
    ["custom", undefined],
    ["assistant", undefined],
  ]);
});

test("runAgent() names only the tool call that a rule forbids, and runs none of the message", async () => {
  const rule = ruleOf("no-rm", "condition: 'rm -rf'\nscope: tool:bash");
  const model = scriptedModel([
    calls(
      { id: "c1", name: "bash", arguments: { command: "ls" } },
      { id: "c2", name: "bash", arguments: { command: "rm -rf /" } },
    ),
    says("fine"),
  ]);
  const tools = { offered: [testTool("bash")], withheld: [] };
  const events = await collectEvents(guardedRun(model, { rules: [rule], tools }));
  expect(events.find((event) => event.type === "ttsr_triggered")).toEqual({
    type: "ttsr_triggered",
    rules: [{ name: "no-rm", path: ".agent/rules/no-rm.md", severity: "error" }],
    stream: "tool:bash",
    toolCallId: "c2",
    at: 6,
  });
  expect(outline(events)).not.toContain("tool_execution_start");
});

test("runAgent() lets what only the end of a block decides fire before any tool runs", async () => {
  const rule = ruleOf("no-todo", "condition: 'TODO$'");
  const call = { type: "toolCall", id: "c1", name: "now", arguments: {} } as const;
  const text = { type: "text", text: "a TODO" } as const;
  const model = scriptedModel([
    [
      { type: "start" },
      { type: "toolcall_start", contentIndex: 0, id: "c1", name: "now" },
      { type: "toolcall_end", contentIndex: 0, toolCall: call },
      { type: "text_delta", contentIndex: 1, delta: "a TODO" },
      { type: "done", message: answer([call, text], "toolUse") },
    ],
    says("fine"),
  ]);
  const tools = { offered: [testTool("now")], withheld: [] };
  const events = await collectEvents(guardedRun(model, { rules: [rule], tools }));
  expect(outline(events)).toContain("ttsr_triggered");
  expect(outline(events)).not.toContain("tool_execution_start");
});

test("runAgent() passes on what the server said of an answer that its end makes a rule discard", async () => {
  const rule = ruleOf("no-todo", "condition: 'TODO$'");
  const said = says("a TODO").map((event) =>
    event.type === "done" ? { ...event, notices: ["the server cut the prompt"] } : event,
  );
  const model = scriptedModel([said, says("fine")]);
  const events = await collectEvents(guardedRun(model, { rules: [rule] }));
  expect(outline(events).slice(2, 5)).toEqual(["notice", "ttsr_triggered", "branch"]);
});

test("runAgent() injects all rules of one push together", async () => {
  const other = ruleOf("no-x", "condition: 'x: any'");
  const model = scriptedModel([says("x: any"), says("fine")]);
  const events = await collectEvents(guardedRun(model, { rules: [NO_ANY, other] }));
  const branches = events.filter((event) => event.type === "branch");
  expect(branches.map(({ injectedRules }) => injectedRules)).toEqual([["no-any", "no-x"]]);
});

test("runAgent() reports a match of a rule that has had its say", async () => {
  const model = scriptedModel([says("x: any")]);
  const run = guardedRun(model, { rules: [NO_ANY], injected: [{ name: "no-any", age: 3 }] });
  const events = await collectEvents(run);
  expect(events.filter((event) => event.type === "ttsr_suppressed")).toEqual([
    {
      type: "ttsr_suppressed",
      rules: [{ name: "no-any", path: ".agent/rules/no-any.md", severity: "error" }],
      stream: "text",
      at: 6,
      reason: "it has fired in this session already (repeatMode: once)",
    },
  ]);
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "stop" });
  expect(run.guard?.hasStandingViolation()).toBe(true);
});

test("runAgent() ends as stopped by a rule past maxInterrupts, its last write made", async () => {
  const rule = ruleOf("no-any", "condition: ': any'\nrepeatMode: after-gap\nrepeatGap: 0");
  const model = scriptedModel([says(": any"), says(": any")]);
  const events = await collectEvents(guardedRun(model, { rules: [rule], ttsr: { maxInterrupts: 1 } }));
  expect(events.filter((event) => event.type === "branch").length).toBe(2);
  expect(events.at(-1)).toMatchObject({ type: "agent_end", reason: "rule", error: { kind: "rule" } });
});

test("runAgent() silences one noisy rule past maxInterruptsPerRule", async () => {
  const rule = ruleOf("no-any", "condition: ': any'\nrepeatMode: after-gap\nrepeatGap: 0");
  const model = scriptedModel([says(": any"), says(": any")]);
  const events = await collectEvents(guardedRun(model, { rules: [rule], ttsr: { maxInterruptsPerRule: 1 } }));
  expect(outline(events).filter((type) => type.startsWith("ttsr"))).toEqual([
    "ttsr_triggered",
    "ttsr_suppressed",
  ]);
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "stop" });
});
