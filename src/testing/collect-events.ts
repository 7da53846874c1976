// Runs the loop to its end for tests, with defaults for all that a test does not care about.

import type { AgentEvent } from "../agent/events.ts";
import { runAgent } from "../agent/loop.ts";
import { type AgentRun, NO_TOOLS } from "../agent/run.ts";
import type { Model } from "../model/model.ts";
import { type Tool, textResult } from "../tools/tool.ts";
import { expectRecords } from "./event-schema.ts";

/** A run of `model` with one user message, `Hi`. */
export function testRun(model: Model, fields: Partial<AgentRun> = {}): AgentRun {
  return {
    model,
    systemPrompt: "system",
    history: [],
    prompt: [{ role: "user", content: "Hi", timestamp: 0 }],
    tools: NO_TOOLS,
    options: {},
    limits: { maxTurns: 50 },
    retry: { attempts: 3, baseDelayMs: 0 },
    now: () => 0,
    ...fields,
  };
}

/** All events of a run; the public ones are held against the published schema. */
export async function collectEvents(run: AgentRun, signal?: AbortSignal): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of runAgent(run, signal ?? new AbortController().signal)) events.push(event);
  expectRecords(events.filter((event) => event.type !== "branch"));
  return events;
}

/** A tool that answers with what `run` gives. */
export function testTool(
  name: string,
  run: Tool["run"] = async () => textResult("ok"),
  readOnly = false,
): Tool {
  return { spec: { name, description: name, parameters: { type: "object" } }, readOnly, run };
}
