import { describe, expect, test } from "bun:test";
import type { AgentEnd } from "../agent/events.ts";
import { AppError, type ErrorKind } from "../base/errors.ts";
import { type HandoffEvent, type HandoffState, IDLE, isGenerating, stepHandoff } from "./lifecycle.ts";

const DOCUMENT = "## Goal\nx";
const GENERATING: HandoffState = { name: "generating" };
const REPAIRING: HandoffState = { name: "repairing", document: DOCUMENT };
const TRANSFERRING: HandoffState = { name: "transferring", document: DOCUMENT, missing: [] };
const DONE: HandoffState = { ...TRANSFERRING, name: "done" };
const TIME = new AppError("limit", "The run was ended at its limit of time (--max-time)");
const SIGINT = new AppError("sigint", "Ended by SIGINT");

function ended(reason: AgentEnd["reason"], more: Partial<AgentEnd> = {}): AgentEnd {
  return { type: "agent_end", reason, ...more };
}

function answered(end: AgentEnd, text = DOCUMENT): HandoffEvent {
  return { type: "answered", end, text };
}

const unavailable = { kind: "unavailable", message: "the server is busy", retryable: true } as const;
const tokens = { kind: "limit", message: "the answer was cut", retryable: false } as const;
const rule = { kind: "rule", message: "stopped by a rule", retryable: false } as const;

/** State, event, what the state is then; for an end also kind and message of its error. */
const TABLE: readonly (readonly [
  string,
  HandoffState,
  HandoffEvent,
  HandoffState["name"],
  ErrorKind?,
  string?,
])[] = [
  [
    "no messages",
    IDLE,
    { type: "start", messages: 0 },
    "nothing",
    "nothing",
    "Nothing to hand off (no messages yet)",
  ],
  [
    "one message",
    IDLE,
    { type: "start", messages: 1 },
    "nothing",
    "nothing",
    "Nothing to hand off (no messages yet)",
  ],
  ["two messages", IDLE, { type: "start", messages: 2 }, "generating"],
  ["a second start", GENERATING, { type: "start", messages: 0 }, "generating"],
  ["an answer", GENERATING, answered(ended("stop")), "generating"],
  [
    "an answer without text",
    GENERATING,
    answered(ended("stop"), ""),
    "cancelled",
    "cancelled",
    "Handoff cancelled: the model returned no text",
  ],
  [
    "an empty end",
    GENERATING,
    answered(ended("empty"), ""),
    "cancelled",
    "cancelled",
    "Handoff cancelled: the model returned no text",
  ],
  [
    "a failed answer",
    GENERATING,
    answered(ended("error", { error: unavailable })),
    "failed",
    "unavailable",
    "Handoff failed: the server is busy",
  ],
  [
    "a cut answer",
    GENERATING,
    answered(ended("limit", { limit: "tokens", error: tokens })),
    "failed",
    "limit",
    "Handoff failed: the answer was cut",
  ],
  [
    "a rule",
    GENERATING,
    answered(ended("rule", { error: rule })),
    "failed",
    "rule",
    "Handoff failed: stopped by a rule",
  ],
  ["the time limit", GENERATING, { type: "abort", reason: TIME }, "cancelled", "limit", "Handoff cancelled"],
  ["an aborted run", GENERATING, answered(ended("aborted")), "cancelled", "cancelled", "Handoff cancelled"],
  ["a signal", GENERATING, { type: "abort", reason: SIGINT }, "cancelled", "sigint", "Handoff cancelled"],
  [
    "abortHandoff()",
    GENERATING,
    { type: "abort", reason: new DOMException("x", "AbortError") },
    "cancelled",
    "cancelled",
    "Handoff cancelled",
  ],
  [
    "an exception",
    GENERATING,
    { type: "error", error: new AppError("failed", "disk full") },
    "failed",
    "failed",
    "Handoff failed: disk full",
  ],
  [
    "a whole document",
    GENERATING,
    { type: "parsed", document: DOCUMENT, missing: [], again: false },
    "transferring",
  ],
  [
    "missing sections",
    GENERATING,
    { type: "parsed", document: DOCUMENT, missing: ["Goal"], again: true },
    "repairing",
  ],
  ["a repair", REPAIRING, answered(ended("stop")), "repairing"],
  ["a repair that failed", REPAIRING, answered(ended("error", { error: unavailable })), "repairing"],
  ["a repair without text", REPAIRING, answered(ended("empty"), ""), "repairing"],
  [
    "a signal in the repair",
    REPAIRING,
    { type: "abort", reason: SIGINT },
    "cancelled",
    "sigint",
    "Handoff cancelled",
  ],
  [
    "the time limit in the repair",
    REPAIRING,
    { type: "abort", reason: TIME },
    "cancelled",
    "limit",
    "Handoff cancelled",
  ],
  [
    "the repaired document",
    REPAIRING,
    { type: "parsed", document: DOCUMENT, missing: ["Goal"], again: false },
    "transferring",
  ],
  ["the new session", TRANSFERRING, { type: "written" }, "done"],
  [
    "a write that failed",
    TRANSFERRING,
    { type: "error", error: new AppError("failed", "disk full") },
    "failed",
    "failed",
    "Handoff failed: disk full",
  ],
  [
    "a signal before the new session",
    TRANSFERRING,
    { type: "abort", reason: SIGINT },
    "cancelled",
    "sigint",
    "Handoff cancelled",
  ],
  ["a written session that nobody began", IDLE, { type: "written" }, "idle"],
  ["an answer that nobody asked for", TRANSFERRING, answered(ended("stop")), "transferring"],
  ["a signal after the end", DONE, { type: "abort", reason: SIGINT }, "done"],
  ["an error after the end", DONE, { type: "error", error: new AppError("failed", "x") }, "done"],
];

describe("stepHandoff()", () => {
  for (const [what, state, event, name, kind, message] of TABLE) {
    test(`goes from ${state.name} to ${name} at ${what}`, () => {
      const after = stepHandoff(state, event);
      const error = "error" in after ? after.error : undefined;
      expect({ name: after.name, kind: error?.kind, message: error?.message }).toEqual({
        name,
        kind,
        message,
      });
    });
  }

  test("keeps the document from the answer to the end", () => {
    const parsed = stepHandoff(GENERATING, {
      type: "parsed",
      document: DOCUMENT,
      missing: ["Goal"],
      again: false,
    });
    expect(stepHandoff(parsed, { type: "written" })).toEqual({
      name: "done",
      document: DOCUMENT,
      missing: ["Goal"],
    });
  });
});

test("isGenerating() holds from the prompt to the document", () => {
  const states = [IDLE, GENERATING, REPAIRING, TRANSFERRING, DONE];
  expect(states.filter(isGenerating).map((state) => state.name)).toEqual(["generating", "repairing"]);
});
