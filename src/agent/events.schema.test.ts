import { expect, test } from "bun:test";
import { expectRecords, RECORD_TYPES } from "../testing/event-schema.ts";
import { answer } from "../testing/scripted-model.ts";
import type { AgentEvent } from "./events.ts";

type PublicType = Exclude<AgentEvent["type"], "branch">;

const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3 };
const rules = [{ name: "no-any", path: ".agent/rules/no-any.md", severity: "error" }] as const;

/** One of each: a new type of event does not compile without a row here, and fails without one in the schema. */
const SAMPLES: { readonly [T in PublicType]: AgentEvent & { readonly type: T } } = {
  agent_start: { type: "agent_start", model: "ollama/m", tools: ["read"] },
  turn_start: { type: "turn_start", turn: 1 },
  message_start: { type: "message_start", role: "assistant", attempt: 2 },
  message_update: { type: "message_update", contentIndex: 0, kind: "text", delta: "a" },
  message_end: {
    type: "message_end",
    message: answer([{ type: "thinking", thinking: "t" }]),
    discarded: true,
  },
  tool_execution_start: { type: "tool_execution_start", toolCallId: "c", toolName: "read", arguments: {} },
  tool_execution_update: { type: "tool_execution_update", toolCallId: "c", delta: "a" },
  tool_execution_end: {
    type: "tool_execution_end",
    toolCallId: "c",
    toolName: "read",
    isError: false,
    durationMs: 1,
  },
  turn_end: { type: "turn_end", turn: 1, interrupted: false, usage },
  ttsr_triggered: { type: "ttsr_triggered", rules, stream: "tool:write", toolCallId: "c", at: 3 },
  ttsr_suppressed: { type: "ttsr_suppressed", rules, stream: "text", at: 3, reason: "once" },
  retry: { type: "retry", attempt: 1, maxAttempts: 3, delayMs: 500, error: "busy" },
  compaction_start: { type: "compaction_start", tokensBefore: 10 },
  compaction_end: { type: "compaction_end", summary: "s", tokensBefore: 10, keptMessages: 1 },
  permission_denied: {
    type: "permission_denied",
    toolCallId: "c",
    tool: "write",
    permission: "write",
    target: "/etc/passwd",
    reason: "it is outside what may be written",
    hint: "--allow-write=/etc/passwd",
  },
  notice: { type: "notice", message: "n" },
  agent_end: {
    type: "agent_end",
    reason: "limit",
    limit: "turns",
    error: { kind: "limit", message: "m", hint: "h", retryable: false },
  },
};

test("docs/events.schema.json describes every public event, the session header and the result", () => {
  expectRecords(Object.values(SAMPLES));
  expect(RECORD_TYPES.toSorted()).toEqual([...Object.keys(SAMPLES), "session", "result"].toSorted());
});

test("docs/events.schema.json refuses what is not an event", () => {
  expect(() => expectRecords([{ ...SAMPLES.turn_start, more: 1 }])).toThrow("turn_start");
  expect(() => expectRecords([{ type: "turn_start" }])).toThrow("turn_start");
  expect(() => expectRecords([{ type: "branch" }])).toThrow("branch");
});
