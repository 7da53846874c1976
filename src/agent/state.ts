// The state of one run of the loop: what changes while it goes on, and what each request is made from.

import { toModelMessages } from "../model/context.ts";
import { type Message, NO_USAGE, type Usage } from "../model/messages.ts";
import type { ModelOptions, ModelRequest } from "../model/model.ts";
import { estimateMessageTokens, type TokenCount } from "../model/tokens.ts";
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
  /** The last request as it was estimated, and as the server counted it. */
  lastCount: TokenCount | undefined;
  /** Requests that the server refused because they do not fit the window. */
  overflows: number;
  /** The model was told once that its answer does not follow the schema. */
  repaired: boolean;
}

/** The next request. */
export function requestOf(state: LoopState): ModelRequest {
  const { run, repaired } = state;
  const tools = repaired ? [] : run.tools.offered.map((tool) => tool.spec);
  return {
    systemPrompt: run.systemPrompt,
    messages: toModelMessages(state.messages),
    tools,
    options: optionsOf(state, tools.length === 0),
  };
}

/** Never more tokens than the run has left, so that it ends at its limit. */
function optionsOf({ run, clock }: LoopState, withoutTools: boolean): ModelOptions {
  const bounds = [run.options.maxTokens, clock.tokensLeft].filter((bound) => bound !== undefined);
  const format = withoutTools ? run.answerFormat?.schema : undefined;
  return {
    ...run.options,
    ...(bounds.length === 0 ? {} : { maxTokens: Math.min(...bounds) }),
    ...(format === undefined ? {} : { format }),
  };
}

/** What the server counted, or an estimate of what it wrote for a request that did not end. */
export function usageOf(answer: Answer): Usage {
  const { message } = answer;
  if (message === undefined) return NO_USAGE;
  if (message.usage.totalTokens > 0 || answer.kind === "message") return message.usage;
  const output = estimateMessageTokens(message);
  return { ...NO_USAGE, output, totalTokens: output };
}
