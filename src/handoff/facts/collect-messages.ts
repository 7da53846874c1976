// Messages of a branch, one after another, into the collectors.

import {
  type AssistantMessage,
  type BashExecutionMessage,
  type Message,
  type ToolResultMessage,
  textOf,
  toolCallsOf,
  type UserMessage,
} from "../../model/messages.ts";
import { isHandoffPrompt } from "../prompt.ts";
import { beginsWithAssent, choiceOf, isAssent } from "./answers.ts";
import { clip, middleCut } from "./clip.ts";
import type { CommandRun } from "./collect-commands.ts";
import type { CollectState } from "./collect-state.ts";
import { outcomeOf } from "./command-outcome.ts";
import type { EndFact, Proposal } from "./facts.ts";
import { isBareSlash, userWords } from "./injected.ts";
import { proposedBy } from "./proposal.ts";
import type { QuietResult } from "./quiet-result.ts";
import { type PendingCall, viewCall } from "./tool-call.ts";
import type { UnreadRun } from "./unread-runs.ts";

/** A message of the branch. The prompt and the answer of an earlier handoff are no part of the work. */
export function takeMessage(state: CollectState, entryId: string, message: Message): void {
  takeByRole(state, entryId, message);
  if (!state.inHandoff) state.messages += 1;
}

function takeByRole(state: CollectState, entryId: string, message: Message): void {
  switch (message.role) {
    case "user":
      takeUser(state, message, entryId);
      return;
    case "assistant":
      takeAssistant(state, message, entryId);
      return;
    case "toolResult":
      takeResult(state, message, entryId);
      return;
    case "bashExecution":
      takeBash(state, message, entryId);
      return;
    case "custom":
    case "branchSummary":
    case "compactionSummary":
      return;
  }
}

function takeUser(state: CollectState, { content }: UserMessage, entryId: string): void {
  const text = textOf(content);
  state.inHandoff = isHandoffPrompt(text);
  if (state.inHandoff) return;
  const hasImage = typeof content !== "string" && content.some((block) => block.type === "image");
  const words = state.redact(userWords(text)) || (hasImage ? "[image]" : "");
  if (words === "") return;
  if (isBareSlash(words)) {
    state.requests.command(words, entryId);
    return;
  }
  state.requests.ask(words, entryId, takeAnswer(state, words, entryId));
  state.quotes.user(words, state.order, entryId);
  state.end = { state: "unanswered", detail: "", entryId };
}

const PROPOSAL_LENGTH = 400;

/** What the words are a short answer to; a choice is a decision, and what is agreed to is to be done. */
function takeAnswer(state: CollectState, words: string, entryId: string): Proposal | undefined {
  const { unanswered } = state;
  state.unanswered = null;
  if (unanswered === null || words.length > 200) return undefined;
  // Most requests answer nothing: only what is quoted is searched for secrets, and that whole.
  const isAnswer = choiceOf(words, unanswered.text) !== undefined || beginsWithAssent(words);
  if (!isAnswer) return undefined;
  const text = state.redact(unanswered.text);
  const choice = choiceOf(words, text);
  const proposed = proposedBy(text);
  const about = (shown: string) => ({ text: middleCut(shown, PROPOSAL_LENGTH), entryId: unanswered.entryId });
  const answers = proposed === undefined ? undefined : about(proposed.text);
  const { order } = state;
  if (choice?.option !== undefined)
    state.quotes.chosen(words, { chose: about(choice.option), order, entryId });
  else if (choice !== undefined && proposed !== undefined)
    state.quotes.chosen(words, { answers: about(proposed.question), order, entryId });
  if (proposed !== undefined && proposed.commands.length > 0 && isAssent(words))
    state.agreed = {
      commands: proposed.commands,
      order,
      entryId: unanswered.entryId,
      agreedBy: entryId,
    };
  return answers;
}

/** A slash command, in the tags that an agent records it in. */
export function takeCommand(state: CollectState, text: string, entryId: string): void {
  const words = state.redact(userWords(text));
  if (words === "") return;
  state.requests.command(words, entryId);
  state.quotes.user(words, state.order, entryId);
}

/** The user stopped the agent, as the agent itself noted. */
export function takeInterruption(state: CollectState, entryId: string): void {
  state.requests.answer(true, true);
  if (state.end?.state === "working" || state.end?.state === "unanswered")
    state.end = { state: "interrupted", detail: "", entryId };
}

function takeAssistant(state: CollectState, message: AssistantMessage, entryId: string): void {
  if (state.inHandoff) return;
  const text = textOf(message.content);
  const calls = toolCallsOf(message);
  const cutOff = message.stopReason === "aborted" || message.stopReason === "error";
  if (message.stopReason === "error")
    state.incidents.modelFailed(message.errorMessage ?? "the model's answer failed", entryId);
  state.requests.answer(cutOff, text.trim() === "" && calls.length === 0);
  if (text.trim() !== "") {
    state.lastWords = { text, entryId };
    state.unanswered = state.lastWords;
    if (calls.length === 0 && !cutOff) state.lastAnswer = state.lastWords;
  }
  if (text.trim() !== "" && message.stopReason !== "aborted") {
    state.quotes.assistant(text, state.order, entryId);
    if (text.includes("[")) state.tasks.text(text, entryId);
  }
  for (const call of calls) {
    state.order += 1;
    state.pending.set(call.id, { call, view: viewCall(call, state.cwd), order: state.order, entryId });
  }
  state.end = endOf(state, message, entryId);
}

function endOf({ redact }: CollectState, message: AssistantMessage, entryId: string): EndFact {
  switch (message.stopReason) {
    case "aborted":
      return { state: "interrupted", detail: "", entryId };
    case "error":
      return {
        state: "failed",
        detail: clip(redact(message.errorMessage ?? "the model's answer failed"), 240),
        entryId,
      };
    case "length":
      return { state: "failed", detail: "the last answer was cut off at its length limit", entryId };
    case "stop":
    case "toolUse":
      return toolCallsOf(message).length > 0
        ? { state: "working", detail: "", entryId }
        : { state: "answered", detail: "", entryId };
  }
}

function takeResult(state: CollectState, result: ToolResultMessage, entryId: string): void {
  const pending = state.pending.get(result.toolCallId);
  if (pending === undefined) return;
  state.pending.delete(result.toolCallId);
  const { call, view, order } = pending;
  const output = textOf(result.content);
  const said = result.isError ? REFUSED.exec(output)?.[1] : view.asksUser ? output : undefined;
  if (said !== undefined) takeRemark(state, said, entryId);
  if (said !== undefined && !result.isError)
    state.quotes.chosen(state.redact(said.trim()), { order: state.order, entryId });
  if (!result.isError && view.keepsTasks) state.tasks.call(call, result, pending.entryId);
  if (view.command !== undefined) {
    const unread = state.unread.forget(view.command, order);
    const outcome = outcomeOf(result);
    const ok = takeRun(state, { command: view.command, outcome, output, order, entryId, unread });
    if (!ok) return;
  } else if (result.isError) {
    if (view.purpose !== undefined)
      state.calls.ended({ tool: call.name, purpose: view.purpose, ok: false, entryId });
    const failure = state.errors.failed({
      tool: call.name,
      target: view.touches[0]?.path ?? view.purpose ?? "",
      output,
      entryId,
    });
    if (failure !== undefined) state.lastError = { ...failure, order };
    return;
  }
  succeed(state, pending);
}

/** Claude Code: what the user typed when refusing a call stands in its result alone. */
const REFUSED = /^The user doesn't want to (?:proceed|take)[\s\S]{0,400}?\bthe user said:\s*(\S[\s\S]*)$/;

/** What the user said to a call: no prompt of its own. */
function takeRemark(state: CollectState, said: string, entryId: string): void {
  const words = state.redact(said.trim());
  if (words === "") return;
  state.requests.remark(words, entryId);
  state.quotes.user(words, state.order, entryId);
}

/** A result that went well, and whose content says nothing more: a file was read, written or edited. */
export function takeQuietResult(state: CollectState, { toolCallId }: QuietResult): void {
  state.entries += 1;
  state.order += 1;
  if (!state.inHandoff) state.messages += 1;
  const pending = state.pending.get(toolCallId);
  if (pending === undefined) return;
  state.pending.delete(toolCallId);
  succeed(state, pending);
}

/**
 * Puts a result that went well off until it is known that the same command does not run again: the last run is the one
 * that counts. False where more is asked of it: what git printed, files that it wrote.
 */
export function putOff(state: CollectState, quiet: QuietResult, index: number): boolean {
  const pending = state.pending.get(quiet.toolCallId);
  if (pending?.view.command === undefined || pending.view.touches.length > 0) return false;
  // Behind a pipe, or in the words of another agent, the output may tell a failure.
  if (quiet.tellsCode || /\||\b(?:git|gh|jj)\b/.test(pending.view.command)) return false;
  state.entries += 1;
  state.order += 1;
  if (!state.inHandoff) state.messages += 1;
  state.pending.delete(quiet.toolCallId);
  state.errors.succeeded(pending.call.name, "");
  state.unread.put(pending.view.command, { pending, index });
  return true;
}

/** A result that was put off, and that nothing replaced. */
export function takeUnread(
  state: CollectState,
  { pending, count }: UnreadRun,
  read: { readonly entryId: string; readonly result: ToolResultMessage },
): void {
  takeRun(state, {
    command: pending.view.command ?? "",
    outcome: outcomeOf(read.result),
    output: textOf(read.result.content),
    order: pending.order,
    entryId: read.entryId,
    unread: count - 1,
  });
}

/** Whether a result is wanted only for how it ended. */
export function isQuiet(state: CollectState, { toolCallId }: QuietResult): boolean {
  const pending = state.pending.get(toolCallId);
  return (
    pending === undefined ||
    (pending.view.command === undefined && !pending.view.keepsTasks && !pending.view.asksUser)
  );
}

function succeed(state: CollectState, { call, view, order, entryId }: PendingCall): void {
  if (view.touches.length === 0) state.errors.succeeded(call.name, view.purpose ?? "");
  if (view.purpose !== undefined)
    state.calls.ended({ tool: call.name, purpose: view.purpose, ok: true, entryId });
  for (const touch of view.touches) {
    state.files.touch(touch, order, entryId);
    state.errors.succeeded(call.name, touch.path);
  }
}

/** A command that came to an end, or not; gives whether it went well. */
function takeRun(state: CollectState, run: CommandRun): boolean {
  const failure = state.commands.run(run);
  if (failure !== undefined && run.order >= (state.lastError?.order ?? -1))
    state.lastError = { ...failure, order: run.order };
  const { status } = run.outcome;
  if (status === "ok" || status === "failed") state.git.ran(run.command, run.output, run.entryId);
  return status === "ok";
}

/** A command that the user ran beside the conversation. */
function takeBash(state: CollectState, message: BashExecutionMessage, entryId: string): void {
  const { command, output, exitCode, cancelled } = message;
  const status = cancelled
    ? "interrupted"
    : exitCode === undefined
      ? "unknown"
      : exitCode === 0
        ? "ok"
        : "failed";
  takeRun(state, {
    command,
    output,
    outcome: { status, exitCode: exitCode ?? null },
    order: state.order,
    entryId,
  });
}
