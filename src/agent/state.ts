// The state of one run of the loop: what changes while it goes on, and what each request is made from.

import { toModelMessages } from "../model/context.ts";
import { type Message, NO_USAGE, type Usage } from "../model/messages.ts";
import type { ModelOptions, ModelRequest } from "../model/model.ts";
import type { RunClock } from "./limits.ts";
import type { RepetitionDetector } from "./repetition.ts";
import type { Answer } from "./request.ts";
import type { AgentRun } from "./run.ts";

export interface LoopState {
  readonly run: AgentRun;
  readonly clock: RunClock;
  readonly now: () => number;
  /** The conversation on the branch, as the next request has it. */
  messages: Message[];
  readonly repetition: RepetitionDetector;
  /** An empty answer was answered once. */
  nudged: boolean;
  /** Calls that the server could not parse. */
  badCalls: number;
  /** The model was told once that its answer does not follow the schema. */
  repaired: boolean;
}

/** The next request. */
export function requestOf(state: LoopState): ModelRequest {
  const { run } = state;
  return {
    systemPrompt: run.systemPrompt,
    messages: toModelMessages(state.messages),
    tools: run.tools.offered.map((tool) => tool.spec),
    options: optionsOf(state),
  };
}

/** Never more tokens than the run has left, so that it ends at its limit. */
function optionsOf({ run, clock }: LoopState): ModelOptions {
  const bounds = [run.options.maxTokens, clock.tokensLeft].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? run.options : { ...run.options, maxTokens: Math.min(...bounds) };
}

/** What the server counted; nothing for a request that did not end. */
export function usageOf(answer: Answer): Usage {
  return answer.message?.usage ?? NO_USAGE;
}
