// The facts of a branch in one pass: each entry is looked at once, in order, and let go. Calls are paired with results
// by position, since ids of calls are used again in real files.

import { isObject, stringAt } from "../base/json.ts";
import type {
  AssistantMessage,
  BashExecutionMessage,
  ToolCallBlock,
  ToolResultMessage,
} from "../model/messages.ts";
import { textOf, toolCallsOf } from "../model/messages.ts";
import type {
  CompactionEntry,
  CustomMessageEntry,
  Entry,
  MessageEntry,
  SessionHeader,
} from "../session/entry.ts";
import { announcedSteps } from "./announced.ts";
import { clip, middleCut } from "./clip.ts";
import { type CommandCollector, createCommandCollector } from "./collect-commands.ts";
import { createErrorCollector, type ErrorCollector } from "./collect-errors.ts";
import { createFileCollector, type FileCollector } from "./collect-files.ts";
import { createGitCollector, type GitCollector } from "./collect-git.ts";
import { createQuoteCollector, type QuoteCollector } from "./collect-quotes.ts";
import { createRequestCollector, type RequestCollector } from "./collect-requests.ts";
import { createTaskCollector, type TaskCollector } from "./collect-tasks.ts";
import { outcomeOf } from "./command-outcome.ts";
import type { EndFact, Facts, QuoteFact, SummaryFact } from "./facts.ts";
import { isBareSlash, userWords } from "./injected.ts";
import { isHandoffPrompt } from "./prompt.ts";
import { keepSecrets, type Redact } from "./redact.ts";
import { type CallView, viewCall } from "./tool-call.ts";

const ANSWER_LENGTH = 700;

interface PendingCall {
  readonly call: ToolCallBlock;
  readonly view: CallView;
  readonly order: number;
  readonly entryId: string;
}

interface RawText {
  readonly text: string;
  readonly entryId: string;
}

interface State {
  readonly cwd: string;
  readonly redact: Redact;
  readonly files: FileCollector;
  readonly commands: CommandCollector;
  readonly errors: ErrorCollector;
  readonly tasks: TaskCollector;
  readonly requests: RequestCollector;
  readonly quotes: QuoteCollector;
  readonly git: GitCollector;
  readonly pending: Map<string, PendingCall>;
  readonly summaries: SummaryFact[];
  /** The last texts of the assistant, whole: the only ones that are kept, one of each at a time. */
  lastAnswer: RawText | null;
  lastWords: RawText | null;
  end: EndFact | null;
  /** The messages at hand are those of an earlier handoff: its prompt and its answer. */
  inHandoff: boolean;
  order: number;
  entries: number;
  messages: number;
  firstTimestamp: string | null;
  lastTimestamp: string | null;
}

/**
 * The facts of a branch. `entries` is the path from the root to the leaf; it is walked once and nothing of it is kept.
 * `redact` sees every text before it is cut, so that no half of a secret stays.
 */
export function collectFacts(
  header: SessionHeader,
  entries: Iterable<Entry>,
  redact: Redact = keepSecrets,
): Facts {
  const state = newState(header, redact);
  for (const entry of entries) takeEntry(state, entry);
  return factsOf(state);
}

function newState(header: SessionHeader, redact: Redact): State {
  return {
    cwd: header.cwd,
    redact,
    files: createFileCollector(),
    commands: createCommandCollector(header.cwd, redact),
    errors: createErrorCollector(redact),
    tasks: createTaskCollector(redact),
    requests: createRequestCollector(),
    quotes: createQuoteCollector(redact),
    git: createGitCollector(redact),
    pending: new Map(),
    summaries: [],
    lastAnswer: null,
    lastWords: null,
    end: null,
    inHandoff: false,
    order: 0,
    entries: 0,
    messages: 0,
    firstTimestamp: null,
    lastTimestamp: null,
  };
}

function takeEntry(state: State, entry: Entry): void {
  state.entries += 1;
  state.order += 1;
  state.firstTimestamp ??= entry.timestamp;
  state.lastTimestamp = entry.timestamp;
  switch (entry.type) {
    case "message":
      state.messages += 1;
      takeMessage(state, entry);
      return;
    case "custom_message":
      takeCustomMessage(state, entry);
      return;
    case "compaction":
      takeCompaction(state, entry);
      return;
    case "branch_summary":
      if (entry.summary !== "")
        state.summaries.push({ kind: "branch", text: entry.summary, entryId: entry.id });
      return;
    case "custom":
      if (entry.customType === "git" && isObject(entry.data))
        state.git.told(stringAt(entry.data, "branch"), stringAt(entry.data, "commit"), entry.id);
      return;
    case "ttsr_injection":
    case "model_change":
    case "thinking_level_change":
    case "label":
    case "session_info":
    case "unknown":
      return;
  }
}

function takeMessage(state: State, entry: MessageEntry): void {
  const { message } = entry;
  switch (message.role) {
    case "user":
      takeUser(state, textOf(message.content), entry.id);
      return;
    case "assistant":
      takeAssistant(state, message, entry.id);
      return;
    case "toolResult":
      takeResult(state, message, entry.id);
      return;
    case "bashExecution":
      takeBash(state, message, entry.id);
      return;
    case "custom":
    case "branchSummary":
    case "compactionSummary":
      return;
  }
}

function takeUser(state: State, text: string, entryId: string): void {
  state.inHandoff = isHandoffPrompt(text);
  if (state.inHandoff) return;
  const words = state.redact(userWords(text));
  if (words === "" || isBareSlash(words)) return;
  state.requests.ask(words, entryId);
  state.quotes.user(words, state.order, entryId);
  state.end = { state: "unanswered", detail: "the last message is the user's", entryId };
}

function takeAssistant(state: State, message: AssistantMessage, entryId: string): void {
  if (state.inHandoff) return;
  const text = textOf(message.content);
  const calls = toolCallsOf(message);
  const cutOff = message.stopReason === "aborted" || message.stopReason === "error";
  state.requests.answer(cutOff, text.trim() === "" && calls.length === 0);
  if (text.trim() !== "" && message.stopReason !== "aborted") {
    state.lastWords = { text, entryId };
    if (calls.length === 0) state.lastAnswer = state.lastWords;
    state.quotes.assistant(text, state.order, entryId);
    state.tasks.text(text, entryId);
  }
  for (const call of calls) {
    state.order += 1;
    state.pending.set(call.id, { call, view: viewCall(call, state.cwd), order: state.order, entryId });
  }
  state.end = endOf(message, calls.length, entryId);
}

function endOf(message: AssistantMessage, calls: number, entryId: string): EndFact {
  switch (message.stopReason) {
    case "aborted":
      return { state: "interrupted", detail: "the last turn was interrupted", entryId };
    case "error":
      return {
        state: "failed",
        detail: clip(message.errorMessage ?? "the model's answer failed", 240),
        entryId,
      };
    case "length":
      return { state: "failed", detail: "the last answer was cut off at its length limit", entryId };
    case "stop":
    case "toolUse":
      return calls > 0
        ? { state: "working", detail: "", entryId }
        : { state: "answered", detail: "", entryId };
  }
}

function takeResult(state: State, result: ToolResultMessage, entryId: string): void {
  const pending = state.pending.get(result.toolCallId);
  if (pending === undefined) return;
  state.pending.delete(result.toolCallId);
  const { call, view, order } = pending;
  const output = textOf(result.content);
  if (!result.isError) state.tasks.call(call, result, pending.entryId);
  if (view.command !== undefined) {
    const outcome = outcomeOf(result);
    state.commands.run({ command: view.command, outcome, output, order, entryId });
    if (outcome.status === "ok" || outcome.status === "failed") state.git.ran(view.command, output, entryId);
    if (outcome.status !== "ok") return;
  }
  const target = view.touches[0]?.path ?? "";
  if (result.isError) {
    state.errors.failed({ tool: call.name, target, output, entryId });
    return;
  }
  state.errors.succeeded(call.name, target);
  for (const touch of view.touches) {
    state.files.touch(touch, order, pending.entryId);
    state.errors.succeeded(call.name, touch.path);
  }
}

/** A command that the user ran beside the conversation. */
function takeBash(state: State, message: BashExecutionMessage, entryId: string): void {
  const { command, output, exitCode, cancelled } = message;
  const status = cancelled
    ? "interrupted"
    : exitCode === undefined
      ? "unknown"
      : exitCode === 0
        ? "ok"
        : "failed";
  state.commands.run({
    command,
    output,
    outcome: { status, exitCode: exitCode ?? null },
    order: state.order,
    entryId,
  });
  state.git.ran(command, output, entryId);
}

function takeCustomMessage(state: State, entry: CustomMessageEntry): void {
  if (entry.customType !== "handoff") return;
  const document =
    /<handoff-context>\n?([\s\S]*?)\n?<\/handoff-context>/.exec(textOf(entry.content))?.[1] ??
    textOf(entry.content);
  state.summaries.push({ kind: "handoff", text: document, entryId: entry.id });
}

/** The last compaction stands for what it covers; an earlier one is inside it. */
function takeCompaction(state: State, entry: CompactionEntry): void {
  if (entry.summary.trim() === "") return;
  state.summaries.splice(0, state.summaries.length, {
    kind: "compaction",
    text: entry.summary,
    entryId: entry.id,
  });
}

function factsOf(state: State): Facts {
  for (const { view, order, entryId } of state.pending.values()) {
    if (view.command !== undefined) {
      const outcome = { status: "unknown" as const, exitCode: null };
      state.commands.run({ command: view.command, outcome, output: "", order, entryId });
    }
  }
  const commands = state.commands.facts();
  const errors = state.errors.facts();
  const failed = commands.failing[0];
  const lastCommand =
    failed === undefined
      ? null
      : {
          tool: "command",
          target: failed.command,
          text: failed.error ?? "",
          open: true,
          entryId: failed.entryId,
        };
  return {
    files: state.files.facts(),
    ...commands,
    errors,
    lastError: lastCommand ?? errors.find((error) => error.open) ?? errors[0] ?? null,
    tasks: state.tasks.facts(),
    commits: state.git.commits(),
    requests: state.requests.facts(),
    constraints: state.quotes.constraints(),
    decisions: state.quotes.decisions(),
    git: state.git.git(),
    summaries: state.summaries.map((summary) => ({ ...summary, text: state.redact(summary.text) })),
    lastAnswer: quoteOf(state, state.lastAnswer),
    lastWords: quoteOf(state, state.lastWords),
    announced:
      state.lastAnswer === null
        ? []
        : announcedSteps(state.redact(state.lastAnswer.text), state.lastAnswer.entryId),
    end: state.end,
    counts: { entries: state.entries, messages: state.messages },
    firstTimestamp: state.firstTimestamp,
    lastTimestamp: state.lastTimestamp,
  };
}

function quoteOf({ redact }: State, raw: RawText | null): QuoteFact | null {
  if (raw === null) return null;
  return { text: middleCut(redact(raw.text), ANSWER_LENGTH), weight: 1, entryId: raw.entryId };
}
