// What a run of the agent loop is given. Nothing here touches the disk, the terminal or a session.

import type { JsonObject } from "../base/json.ts";
import type { Message } from "../model/messages.ts";
import type { Model, ModelOptions } from "../model/model.ts";
import type { ToolSet } from "../tools/tool.ts";
import type { RuleGuard } from "./guard.ts";

/** Limits end a run at the limit, not after it. Undefined: none. */
export interface RunLimits {
  /** Requests that end a turn; those that a rule interrupted do not count. */
  readonly maxTurns: number;
  /** Milliseconds from the start of the run. */
  readonly maxTimeMs?: number | undefined;
  /** Tokens that the model may generate in the whole run. */
  readonly maxTokens?: number | undefined;
}

/** Retries of a request that failed for a reason that may pass. */
export interface RetryPolicy {
  /** Attempts after the first. */
  readonly attempts: number;
  readonly baseDelayMs: number;
}

/**
 * A JSON Schema for the final answer. A server that is held to a schema cannot call tools, so it is sent along where no
 * tools are offered, and with the one repair attempt, which offers none.
 */
export interface AnswerFormat {
  readonly schema: JsonObject;
  /** What is wrong with an answer, one line each; empty if nothing. */
  check(answer: string): readonly string[];
}

export interface AgentRun {
  readonly model: Model;
  readonly systemPrompt: string;
  /** The conversation so far, oldest first. */
  readonly history: readonly Message[];
  /** What is new: recorded and sent before the first request. */
  readonly prompt: readonly Message[];
  readonly tools: ToolSet;
  readonly options: ModelOptions;
  readonly limits: RunLimits;
  readonly retry: RetryPolicy;
  /** The rules that watch the stream; none if left out. */
  readonly guard?: RuleGuard;
  /** End at the first denied tool call. */
  readonly failOnDenied?: boolean;
  /** End before a tool call is run in which a rule of severity `error` matched. */
  readonly failOnViolation?: boolean;
  /** What the final answer must be like. The model is told once that it is not, then the run fails. */
  readonly answerFormat?: AnswerFormat;
  /** Unix time in milliseconds. Default: the system's clock. */
  readonly now?: () => number;
}

export const NO_TOOLS: ToolSet = { offered: [], withheld: [] };
