// The life of one handoff as a pure state machine. Every end is one of four, and none is ever shown as another: done,
// nothing to hand off, cancelled, failed.

import type { AgentEnd } from "../agent/events.ts";
import { AppError, type ErrorKind } from "../base/errors.ts";
import type { SectionName } from "./sections.ts";

export type HandoffState =
  | { readonly name: "idle" }
  /** The model was asked. */
  | { readonly name: "generating" }
  /** The document is there, sections of it are asked for once more. */
  | { readonly name: "repairing"; readonly document: string }
  /** The document is final; the new session is being made. */
  | { readonly name: "transferring"; readonly document: string; readonly missing: readonly SectionName[] }
  | { readonly name: "done"; readonly document: string; readonly missing: readonly SectionName[] }
  | { readonly name: "nothing"; readonly error: AppError }
  | { readonly name: "cancelled"; readonly error: AppError }
  | { readonly name: "failed"; readonly error: AppError };

export type HandoffEvent =
  /** `messages`: how many there are on the branch. */
  | { readonly type: "start"; readonly messages: number }
  /** The run of the prompt ended; `text` is what was captured of its answer. */
  | { readonly type: "answered"; readonly end: AgentEnd; readonly text: string }
  /** The text was looked at: these sections are not in it. */
  | {
      readonly type: "parsed";
      readonly document: string;
      readonly missing: readonly SectionName[];
      readonly again: boolean;
    }
  /** A signal, the time limit or `abortHandoff()`; `reason` is what the signal carries. */
  | { readonly type: "abort"; readonly reason: unknown }
  | { readonly type: "written" }
  | { readonly type: "error"; readonly error: AppError };

export const IDLE: HandoffState = { name: "idle" };
const NOTHING = "Nothing to hand off (no messages yet)";
const CANCELLED = "Handoff cancelled";

/** Whether the model is being asked: between the prompt and the document. */
export function isGenerating(state: HandoffState): boolean {
  return state.name === "generating" || state.name === "repairing";
}

export type HandoffEndState = Extract<
  HandoffState,
  { readonly name: "done" | "nothing" | "cancelled" | "failed" }
>;

export function isEnded(state: HandoffState): state is HandoffEndState {
  return (
    state.name === "done" || state.name === "nothing" || state.name === "cancelled" || state.name === "failed"
  );
}

/** The state after an event. An end stays; an event that means nothing in a state changes nothing. */
export function stepHandoff(state: HandoffState, event: HandoffEvent): HandoffState {
  if (isEnded(state)) return state;
  switch (event.type) {
    case "start":
      return state.name === "idle" ? startOf(event.messages) : state;
    case "abort":
      return { name: "cancelled", error: cancelledBy(event.reason) };
    case "error":
      return { name: "failed", error: failedBecause(event.error.kind, event.error.message, event.error) };
    case "answered":
      return answered(state, event);
    case "parsed":
      return parsed(state, event);
    case "written":
      return state.name === "transferring" ? { ...state, name: "done" } : state;
  }
}

function startOf(messages: number): HandoffState {
  return messages < 2 ? { name: "nothing", error: new AppError("nothing", NOTHING) } : { name: "generating" };
}

/** Only a run that stopped by itself, with text, goes on. A repair that gave nothing leaves the document as it is. */
function answered(state: HandoffState, event: HandoffEvent & { type: "answered" }): HandoffState {
  const { end, text } = event;
  if (!isGenerating(state)) return state;
  if (end.reason === "aborted") return { name: "cancelled", error: cancelledBy(undefined) };
  if (state.name === "repairing") return state;
  if (end.reason === "empty" || (end.reason === "stop" && text === "")) {
    return {
      name: "cancelled",
      error: new AppError("cancelled", `${CANCELLED}: the model returned no text`),
    };
  }
  if (end.reason === "stop") return state;
  const { kind = "failed", message = `the run ended (${end.reason})`, hint } = end.error ?? {};
  return { name: "failed", error: failedBecause(kind, message, hint === undefined ? {} : { hint }) };
}

function parsed(state: HandoffState, event: HandoffEvent & { type: "parsed" }): HandoffState {
  if (!isGenerating(state)) return state;
  const { document, missing, again } = event;
  return again ? { name: "repairing", document } : { name: "transferring", document, missing };
}

/** Keeps the kind of a signal and of a limit, so that each has its own exit code. */
function cancelledBy(reason: unknown): AppError {
  const kind: ErrorKind = reason instanceof AppError ? reason.kind : "cancelled";
  return new AppError(kind, CANCELLED, { cause: reason });
}

function failedBecause(
  kind: ErrorKind,
  reason: string,
  detail: { readonly hint?: string | undefined; readonly cause?: unknown },
): AppError {
  const { hint, cause } = detail;
  return new AppError(kind, `Handoff failed: ${reason}`, {
    ...(hint === undefined ? {} : { hint }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The `AppError` that a cancelled or failed step ends with, where no model is asked. */
export function endOfStep(error: AppError, signal: AbortSignal): AppError {
  const state = stepHandoff(
    { name: "transferring", document: "", missing: [] },
    signal.aborted ? { type: "abort", reason: signal.reason } : { type: "error", error },
  );
  return "error" in state ? state.error : error;
}
