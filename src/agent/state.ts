// The state of one run of the loop: what changes while it goes on, and what each request is made from.

import { toModelMessages } from "../model/context.ts";
import { type AssistantMessage, addUsage, type Message, NO_USAGE, type Usage } from "../model/messages.ts";
import type { ModelOptions, ModelRequest } from "../model/model.ts";
import { estimateMessageTokens, type TokenCount } from "../model/tokens.ts";
import type { RunClock } from "./limits.ts";
import type { RepetitionDetector } from "./repetition.ts";
import type { AgentRun } from "./run.ts";

export interface LoopState {
  readonly run: AgentRun;
  readonly clock: RunClock;
  readonly now: () => number;
  /** The conversation on the branch, as the next request has it. */
  messages: Message[];
  /** Tokens of this turn: of all its requests, failed ones and summaries too. */
  usage: Usage;
  readonly repetition: RepetitionDetector;
  /** An empty answer was answered once. */
  nudged: boolean;
  /** Turns in a row with calls that the server could not parse, or that name no tool there is. */
  badCalls: number;
  /** The last request as it was estimated, and as the server counted it. */
  lastCount: TokenCount | undefined;
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

/** Counts what a request used against the turn, and what it generated against the run's limit. */
export function spend(state: LoopState, message: AssistantMessage): void {
  state.clock.spend(generatedTokens(message));
  state.usage = addUsage(state.usage, usageOf(message));
}

/** What the server counted for a message; an estimate of what was written if its request did not end. */
function usageOf(message: AssistantMessage): Usage {
  if (message.usage.totalTokens > 0 || isWhole(message)) return message.usage;
  const output = estimateMessageTokens(message);
  return { ...NO_USAGE, output, totalTokens: output };
}

/** What the server counted, or an estimate where it did not: a limit holds on every server. */
function generatedTokens(message: AssistantMessage): number {
  const { output } = usageOf(message);
  return output > 0 ? output : estimateMessageTokens(message);
}

function isWhole({ stopReason }: AssistantMessage): boolean {
  return stopReason !== "aborted" && stopReason !== "error";
}
