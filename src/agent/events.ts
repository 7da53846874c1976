// Events that the agent loop yields. All but `branch` are public: `--output jsonl` prints them as they are
// (docs/events.md, docs/events.schema.json). The recorder turns events into session entries.

import type { ErrorKind } from "../base/errors.ts";
import type {
  AssistantMessage,
  CustomMessage,
  Message,
  ToolResultMessage,
  Usage,
} from "../model/messages.ts";

export type Severity = "error" | "warning";

export interface RuleRef {
  readonly name: string;
  /** Relative to the project, or `~/…` for the user's own rules; never absolute. */
  readonly path: string;
  readonly severity: Severity;
}

/** A rule that fired: `stream` is `text`, `thinking` or `tool:<name>`; `at` is an offset in UTF-16 units from 0. */
export interface TtsrEvent {
  readonly type: "ttsr_triggered" | "ttsr_suppressed";
  readonly rules: readonly RuleRef[];
  readonly stream: string;
  readonly toolCallId?: string;
  readonly at: number;
  readonly reason?: string;
}

export interface MessageUpdate {
  readonly type: "message_update";
  readonly contentIndex: number;
  readonly kind: "text" | "thinking" | "toolCall";
  readonly delta: string;
}

/**
 * `discarded`: a rule or a failed attempt made the message void; it is in no later request. What a `branch` event
 * carried ends after it, so that a message that was reported as ended has been written.
 */
export interface MessageEnd {
  readonly type: "message_end";
  readonly message: Message;
  readonly discarded?: true;
}

export interface RetryEvent {
  readonly type: "retry";
  /** Of the retries, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly error: string;
}

export interface TurnEnd {
  readonly type: "turn_end";
  readonly turn: number;
  readonly interrupted: boolean;
  readonly usage: Usage;
}

/** Names the limit that ended a run. */
export type LimitName = "turns" | "time" | "tokens" | "repetition";

/** Why a run failed, as in every JSON output. */
export interface ErrorRecord {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
}

/**
 * How a run ended: by itself (`stop`; `empty`: without any text), because the model failed (`error`), by a signal
 * (`aborted`), at a limit, by a rule that had no interrupts left, or at a denial that the caller does not accept.
 * `error` says why whatever did not end by itself.
 */
export interface AgentEnd {
  readonly type: "agent_end";
  readonly reason: "stop" | "empty" | "error" | "aborted" | "limit" | "rule" | "denied";
  readonly limit?: LimitName;
  readonly error?: ErrorRecord;
}

/**
 * Internal: the session goes back in time. The recorder writes all of it at once: `partial` on the branch that is left
 * (`discard`) or kept (`keep`, followed by `results` for its complete calls), then the reminder, then the names of the
 * injected rules.
 */
export interface BranchEvent {
  readonly type: "branch";
  readonly mode: "discard" | "keep";
  readonly partial: AssistantMessage | undefined;
  readonly results: readonly ToolResultMessage[];
  readonly reminder: CustomMessage;
  readonly injectedRules: readonly string[];
}

export type AgentEvent =
  | { readonly type: "agent_start"; readonly model: string; readonly tools: readonly string[] }
  | { readonly type: "turn_start"; readonly turn: number }
  | { readonly type: "message_start"; readonly role: Message["role"]; readonly attempt?: number }
  | MessageUpdate
  | MessageEnd
  | {
      readonly type: "tool_execution_start";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly arguments: unknown;
    }
  | { readonly type: "tool_execution_update"; readonly toolCallId: string; readonly delta: string }
  | {
      readonly type: "tool_execution_end";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly isError: boolean;
      readonly durationMs: number;
    }
  | TurnEnd
  | TtsrEvent
  | RetryEvent
  | { readonly type: "compaction_start"; readonly tokensBefore: number }
  | {
      readonly type: "compaction_end";
      readonly summary: string;
      readonly tokensBefore: number;
      readonly keptMessages: number;
    }
  | {
      readonly type: "permission_denied";
      readonly toolCallId: string;
      readonly tool: string;
      readonly permission: string;
      readonly target: string;
      readonly reason: string;
      readonly hint?: string;
    }
  | { readonly type: "notice"; readonly message: string }
  | AgentEnd
  | BranchEvent;
