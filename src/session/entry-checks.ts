// What is checked of an entry beyond its shape: its time, the entry that a compaction names, and that calls and results go
// together. Remembered are only calls that wait for their result.

import { type JsonObject, stringAt } from "../base/json.ts";
import { type Message, type ToolCallBlock, toolCallsOf } from "../model/messages.ts";
import type { Entry, SessionProblem } from "./entry.ts";
import { type IdTable, idBytes } from "./id-table.ts";
import { problemAt } from "./problems.ts";

export interface EntryChecks {
  /** `value` is the object that the entry was decoded from. */
  check(value: JsonObject, entry: Entry, line: number): void;
  /** What only the end of the file decides. */
  end(): void;
}

/** Checks for one file, in file order; `ids` are those that were read so far. What they find goes to `problems`. */
export function createEntryChecks(ids: IdTable, problems: SessionProblem[]): EntryChecks {
  const calls = createCallPairs(problems);
  const kept: { readonly id: string; readonly line: number }[] = [];
  let before: string | null = null;
  return {
    check(value, entry, line) {
      // The decoder keeps a time that is one.
      if (value["timestamp"] !== entry.timestamp) checkTimestamp(value, line, problems);
      if (entry.parentId !== before) calls.branch();
      before = entry.id;
      if (entry.type === "message") calls.take(entry.message, line);
      if (entry.type !== "compaction") return;
      const id = entry.firstKeptEntryId;
      if (ids.find(idBytes(id)) < 0) kept.push({ id, line });
    },
    end() {
      calls.end();
      for (const { id, line } of kept) {
        if (id !== "" && ids.find(idBytes(id)) >= 0) continue;
        const names =
          id === "" ? "names no first kept entry" : `keeps from "${id}", which is not in the file`;
        problems.push(problemAt(line, "first-kept-missing", `the compaction ${names}`));
      }
    },
  };
}

function checkTimestamp(value: JsonObject, line: number, problems: SessionProblem[]): void {
  const text = stringAt(value, "timestamp");
  if (text === undefined) problems.push(problemAt(line, "no-timestamp", "the entry has no timestamp"));
  else if (Number.isNaN(Date.parse(text)))
    problems.push(problemAt(line, "no-timestamp", `the entry's timestamp "${text.slice(0, 40)}" is no time`));
}

interface CallPairs {
  take(message: Message, line: number): void;
  /** The next message does not follow the one before it in the file. */
  branch(): void;
  end(): void;
}

interface WaitingCall {
  readonly name: string;
  readonly line: number;
  /** False for a call of an answer that was cut off: it never ran. */
  readonly needsResult: boolean;
}

/**
 * Pairs calls and results as the next request does (src/model/context.ts). Ids of calls are used again in real files: a
 * result belongs to the last answer that calls with its id. An answer that failed is not sent, nor are its results.
 */
function createCallPairs(problems: SessionProblem[]): CallPairs {
  const waiting = new Map<string, WaitingCall[]>();
  /** Calls of answers that failed, by id. */
  const failed = new Map<string, number>();
  /** Results at the beginning of a branch may belong to a call before it, whose results on another branch came first. */
  let branchBegins = false;

  const takeResult = (id: string, tool: string, line: number) => {
    const calls = waiting.get(id);
    const spare = failed.get(id) ?? 0;
    if (calls !== undefined) {
      if (calls.length === 1) waiting.delete(id);
      else calls.shift();
    } else if (spare > 0) {
      failed.set(id, spare - 1);
    } else if (!branchBegins) {
      problems.push(problemAt(line, "result-without-call", `the result of ${tool || "a tool"} has no call`));
    }
  };
  const leave = (calls: readonly WaitingCall[]) => {
    for (const { name, line, needsResult } of calls)
      if (needsResult)
        problems.push(problemAt(line, "call-without-result", `the call of ${name} has no result`));
  };
  const takeCalls = (calls: readonly ToolCallBlock[], line: number, needsResult: boolean) => {
    for (const { id } of calls) {
      leave(waiting.get(id) ?? []);
      waiting.delete(id);
    }
    for (const { id, name } of calls) {
      const same = waiting.get(id);
      if (same === undefined) waiting.set(id, [{ name, line, needsResult }]);
      else same.push({ name, line, needsResult });
    }
  };
  return {
    branch() {
      branchBegins = true;
    },
    take(message, line) {
      if (message.role === "toolResult") return takeResult(message.toolCallId, message.toolName, line);
      branchBegins = false;
      if (message.role !== "assistant") return;
      const calls = toolCallsOf(message);
      if (message.stopReason !== "error") return takeCalls(calls, line, message.stopReason !== "aborted");
      for (const { id } of calls) failed.set(id, (failed.get(id) ?? 0) + 1);
    },
    end() {
      for (const calls of waiting.values()) leave(calls);
    },
  };
}
