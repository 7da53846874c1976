// Counts over all entries of a session, abandoned branches too. Nothing of a message is kept but names, paths and calls
// that wait for their result.

import {
  type AssistantMessage,
  type Message,
  type ToolCallBlock,
  type ToolResultMessage,
  textOf,
  toolCallsOf,
} from "../model/messages.ts";
import type { SessionProblem } from "./entry.ts";
import { exitStatusOf } from "./exit-status.ts";
import type { MessageCounts } from "./formats/report.ts";
import { formatOfVersion, isForeign } from "./open.ts";
import type { SessionFormat } from "./session.ts";
import { type AnyItem, streamAnySession } from "./stream-any.ts";
import { toolTarget } from "./tool-target.ts";

export interface FileCounts {
  readonly path: string;
  readonly reads: number;
  readonly writes: number;
  readonly edits: number;
}

/** The shape of `session stats --output json`. */
export interface SessionStats {
  readonly id: string;
  readonly format: SessionFormat;
  readonly cwd: string;
  readonly entries: number;
  readonly messages: MessageCounts;
  /** Answers of a model that were not aborted. */
  readonly turns: number;
  /** As the servers counted them; `total` with what came from their caches. */
  readonly tokens: { readonly input: number; readonly output: number; readonly total: number };
  readonly compactions: number;
  /** Calls by the tool's name, most called first. Here and below: not those that never ran, as a rule cut them. */
  readonly tools: Readonly<Record<string, number>>;
  /** By path, as the calls wrote it. */
  readonly files: readonly FileCounts[];
  readonly commands: { readonly total: number; readonly failed: number };
  /** Answers that ended by an error, and results of tools that failed. */
  readonly errors: { readonly answers: number; readonly tools: number };
  /** ISO 8601; null for a session without entries. */
  readonly firstTimestamp: string | null;
  readonly lastTimestamp: string | null;
  readonly problems: readonly Pick<SessionProblem, "line" | "code" | "problem">[];
}

/** Reads a session of any known format to its end. Throws `AppError` (`input`) if it is none; `name` is for messages. */
export async function sessionStats(chunks: AsyncIterable<Uint8Array>, name: string): Promise<SessionStats> {
  const counter = createCounter();
  const problems: SessionStats["problems"][number][] = [];
  const facts: HeaderFacts & { entries: number; compactions: number } = {
    format: "pi-v3",
    id: "",
    cwd: "",
    entries: 0,
    compactions: 0,
  };
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const take = (item: AnyItem) => {
    if (item.kind === "format") facts.format = item.format;
    else if (item.kind === "header") takeHeader(facts, item);
    else if (item.kind === "problem") {
      const { line, code, problem } = item.problem;
      problems.push({ line, code, problem });
    } else if (item.kind === "entry") {
      const { entry } = item;
      const time = Date.parse(entry.timestamp);
      [first, last] = [Math.min(first, time), Math.max(last, time)];
      facts.entries += 1;
      if (entry.type === "compaction") facts.compactions += 1;
      if (entry.type === "message") counter.take(entry.message);
    }
  };
  for await (const items of streamAnySession(chunks, name)) for (const item of items) take(item);
  problems.sort((a, b) => a.line - b.line);
  const iso = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString() : null);
  const { id, format, cwd, entries, compactions } = facts;
  const { messages, turns, tokens, tools, files, commands, errors } = counter.counts();
  return {
    ...{ id, format, cwd, entries, messages, turns, tokens, compactions, tools, files, commands, errors },
    firstTimestamp: iso(first),
    lastTimestamp: iso(last),
    problems,
  };
}

interface HeaderFacts {
  format: SessionFormat;
  id: string;
  cwd: string;
}

function takeHeader(facts: HeaderFacts, { header, version }: Extract<AnyItem, { kind: "header" }>): void {
  facts.id = header.id;
  facts.cwd = header.cwd;
  if (!isForeign(facts.format)) facts.format = formatOfVersion(version);
}

type Counts = Pick<SessionStats, "messages" | "turns" | "tokens" | "tools" | "files" | "commands" | "errors">;

interface Counter {
  take(message: Message): void;
  counts(): Counts;
}

function createCounter(): Counter {
  const messages = { total: 0, user: 0, assistant: 0, toolResult: 0, other: 0 };
  const tokens = { input: 0, output: 0, total: 0 };
  const commands = { total: 0, failed: 0 };
  const errors = { answers: 0, tools: 0 };
  const tools = new Map<string, number>();
  const files = createFileCounter();
  /** Shell calls that wait for their result, by id: ids are used again. */
  const shellCalls = new Map<string, number>();
  /** Calls of answers that were cut off: only a result tells that one ran all the same. */
  const doubtful = new Map<string, ToolCallBlock>();
  let turns = 0;

  const takeCall = (call: ToolCallBlock) => {
    tools.set(call.name, (tools.get(call.name) ?? 0) + 1);
    const target = toolTarget(call);
    if (target.kind !== "shell") return files.take(call);
    // Input to a program that runs is no command of its own; its result may tell how the program ended.
    if (target.command !== undefined) commands.total += 1;
    shellCalls.set(call.id, (shellCalls.get(call.id) ?? 0) + 1);
  };
  const takeCalls = (message: AssistantMessage) => {
    const isCut = message.stopReason === "aborted" || message.stopReason === "error";
    for (const call of toolCallsOf(message)) {
      doubtful.delete(call.id);
      if (isCut) doubtful.set(call.id, call);
      else takeCall(call);
    }
  };
  const settleDoubt = (result: ToolResultMessage) => {
    const call = doubtful.get(result.toolCallId);
    doubtful.delete(result.toolCallId);
    if (call !== undefined && !textOf(result.content).startsWith("not run, ")) takeCall(call);
  };

  return {
    take(message) {
      messages.total += 1;
      switch (message.role) {
        case "user":
          messages.user += 1;
          return;
        case "assistant":
          messages.assistant += 1;
          tokens.input += message.usage.input;
          tokens.output += message.usage.output;
          tokens.total += message.usage.totalTokens;
          if (message.stopReason !== "aborted") turns += 1;
          if (message.stopReason === "error") errors.answers += 1;
          takeCalls(message);
          return;
        case "toolResult": {
          messages.toolResult += 1;
          if (message.isError) errors.tools += 1;
          settleDoubt(message);
          const waiting = shellCalls.get(message.toolCallId) ?? 0;
          if (waiting > 0 && exitStatusOf(message).ok === false) commands.failed += 1;
          if (waiting > 1) shellCalls.set(message.toolCallId, waiting - 1);
          else shellCalls.delete(message.toolCallId);
          return;
        }
        case "bashExecution":
          messages.other += 1;
          commands.total += 1;
          if (exitStatusOf(message).ok === false) commands.failed += 1;
          return;
        case "custom":
        case "branchSummary":
        case "compactionSummary":
          messages.other += 1;
      }
    },
    counts: () => ({
      ...{ messages, turns, tokens, commands, errors },
      tools: Object.fromEntries([...tools].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))),
      files: files.counts(),
    }),
  };
}

function createFileCounter(): { take(call: ToolCallBlock): void; counts(): readonly FileCounts[] } {
  const files = new Map<string, { reads: number; writes: number; edits: number }>();
  const count = (path: string, what: "reads" | "writes" | "edits") => {
    const counts = files.get(path) ?? { reads: 0, writes: 0, edits: 0 };
    counts[what] += 1;
    files.set(path, counts);
  };
  return {
    take(call) {
      const target = toolTarget(call);
      if (target.kind === "read") for (const path of target.paths) count(path, "reads");
      if (target.kind === "write") for (const path of target.paths) count(path, "writes");
      if (target.kind !== "edit") return;
      for (const { path, change } of target.changes) count(path, change === "add" ? "writes" : "edits");
    },
    counts: () =>
      [...files].map(([path, counts]) => ({ path, ...counts })).sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}
