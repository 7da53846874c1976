// What is known while a branch is walked: one collector a kind of fact, the calls that wait for their results, and the
// last texts. Calls are paired with results by position, since ids of calls are used again in real files.

import type { SessionHeader } from "../../session/entry.ts";
import type { Redact } from "../redact.ts";
import type { Agreement } from "./agreed-steps.ts";
import { announcedSteps, openQuestion } from "./announced.ts";
import { clip, middleCut } from "./clip.ts";
import { type CallCollector, createCallCollector } from "./collect-calls.ts";
import { type CommandCollector, createCommandCollector } from "./collect-commands.ts";
import { createErrorCollector, type ErrorCollector } from "./collect-errors.ts";
import { createFileCollector, type FileCollector } from "./collect-files.ts";
import { createGitCollector, type GitCollector } from "./collect-git.ts";
import { createIncidentCollector, type IncidentCollector } from "./collect-incidents.ts";
import { createQuoteCollector, type QuoteCollector } from "./collect-quotes.ts";
import { createRequestCollector, type RequestCollector } from "./collect-requests.ts";
import { createTaskCollector, type TaskCollector } from "./collect-tasks.ts";
import type { AgreedStep, EndFact, ErrorFact, Facts, QuoteFact, RequestFact, SummaryFact } from "./facts.ts";
import type { PendingCall } from "./tool-call.ts";
import { createUnreadRuns, type UnreadRuns } from "./unread-runs.ts";

const ANSWER_LENGTH = 1600;

interface RawText {
  readonly text: string;
  readonly entryId: string;
}

interface Agreed extends Agreement {
  /** Of the request that agreed. */
  readonly agreedBy: string;
}

export interface CollectState {
  readonly cwd: string;
  readonly redact: Redact;
  readonly files: FileCollector;
  readonly commands: CommandCollector;
  readonly calls: CallCollector;
  readonly errors: ErrorCollector;
  readonly tasks: TaskCollector;
  readonly requests: RequestCollector;
  readonly quotes: QuoteCollector;
  readonly git: GitCollector;
  readonly incidents: IncidentCollector;
  readonly pending: Map<string, PendingCall>;
  readonly unread: UnreadRuns;
  readonly summaries: (Omit<SummaryFact, "messagesSince"> & { readonly messagesBefore: number })[];
  /** The last texts of the assistant, whole: the only ones that are kept, one of each at a time. */
  lastAnswer: RawText | null;
  lastWords: RawText | null;
  /** The last text of the assistant that the user has not yet said anything to. */
  unanswered: RawText | null;
  /** The last list of commands that the user agreed to. */
  agreed: Agreed | null;
  lastError: (Omit<ErrorFact, "open"> & { readonly order: number }) | null;
  end: EndFact | null;
  name: string | null;
  /** The messages at hand are those of an earlier handoff: its prompt and its answer. */
  inHandoff: boolean;
  /** Rises with every entry and every call. */
  order: number;
  entries: number;
  messages: number;
  /** Of the last message. */
  lastTimestamp: string | null;
}

export function newCollectState(header: SessionHeader, redact: Redact): CollectState {
  return {
    cwd: header.cwd,
    redact,
    files: createFileCollector(),
    commands: createCommandCollector(header.cwd, redact),
    calls: createCallCollector(redact),
    errors: createErrorCollector(redact),
    tasks: createTaskCollector(redact),
    requests: createRequestCollector(),
    quotes: createQuoteCollector(redact),
    git: createGitCollector(redact),
    incidents: createIncidentCollector(redact),
    pending: new Map(),
    unread: createUnreadRuns(),
    summaries: [],
    lastAnswer: null,
    lastWords: null,
    unanswered: null,
    agreed: null,
    lastError: null,
    end: null,
    name: header.title === undefined ? null : header.title,
    inHandoff: false,
    order: 0,
    entries: 0,
    messages: 0,
    lastTimestamp: null,
  };
}

/** The facts at the end of the branch. Calls that still wait never had a result. */
export function factsOf(state: CollectState): Facts {
  for (const { view, order, entryId } of state.pending.values()) {
    if (view.command === undefined) continue;
    const outcome = { status: "unknown" as const, exitCode: null };
    state.commands.run({ command: view.command, outcome, output: "", order, entryId });
  }
  const waiting = state.requests.settle();
  const requests = state.requests.facts();
  const superseded = supersededIn(requests);
  const commands = state.commands.facts();
  const errors = state.errors.facts();
  const { lastAnswer, lastError, redact } = state;
  const isOpen = (id: string) =>
    commands.failing.some((fact) => fact.entryId === id) ||
    errors.some((fact) => fact.open && fact.entryId === id);
  return {
    name: state.name === null || state.name.trim() === "" ? null : clip(redact(state.name), 120),
    cwd: state.cwd,
    files: state.files.facts(),
    ...commands,
    calls: state.calls.facts(),
    errors,
    modelErrors: state.incidents.modelErrors(),
    rules: state.incidents.rules(),
    lastError: lastErrorOf(lastError, isOpen),
    tasks: state.tasks.facts(),
    commits: state.git.commits(),
    requests,
    constraints: state.quotes.constraints(superseded),
    decisions: state.quotes.decisions(superseded),
    agreed: openSteps(state, requests),
    git: state.git.git(),
    summaries: state.summaries.map(({ kind, text, messagesBefore, entryId }) => ({
      kind,
      messagesSince: state.messages - messagesBefore,
      text: redact(text),
      entryId,
    })),
    lastAnswer: quoteOf(state, lastAnswer),
    lastWords: quoteOf(state, state.lastWords),
    announced: lastAnswer === null ? [] : announcedSteps(redact(lastAnswer.text), lastAnswer.entryId),
    question: waiting === undefined ? questionOf(state) : null,
    end: waiting === undefined ? state.end : { state: "unanswered", detail: "", entryId: waiting },
    counts: { entries: state.entries, messages: state.messages },
    lastTimestamp: state.lastTimestamp,
  };
}

function supersededIn(requests: readonly RequestFact[]): ReadonlySet<string> {
  return new Set(
    requests.filter((request) => request.supersededBy !== undefined).map((request) => request.entryId),
  );
}

/** After so many more requests nobody knows whether what was agreed to is still wanted. */
const MOST_REQUESTS_SINCE = 2;

function openSteps(
  { agreed, commands }: CollectState,
  requests: readonly RequestFact[],
): readonly AgreedStep[] {
  if (agreed === null) return [];
  const since = requests.length - 1 - requests.findIndex((request) => request.entryId === agreed.agreedBy);
  return since > MOST_REQUESTS_SINCE ? [] : commands.openSteps(agreed);
}

function lastErrorOf(
  lastError: CollectState["lastError"],
  isOpen: (entryId: string) => boolean,
): ErrorFact | null {
  if (lastError === null) return null;
  const { order: _, ...error } = lastError;
  return { ...error, open: isOpen(error.entryId) };
}

function quoteOf({ redact }: CollectState, raw: RawText | null): QuoteFact | null {
  if (raw === null) return null;
  return { text: middleCut(redact(raw.text), ANSWER_LENGTH), weight: 1, entryId: raw.entryId };
}

function questionOf({ end, lastAnswer, redact }: CollectState): QuoteFact | null {
  if (end?.state !== "answered" || lastAnswer === null) return null;
  return openQuestion(redact(lastAnswer.text), lastAnswer.entryId) ?? null;
}
