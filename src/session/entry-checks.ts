// What is checked of an entry beyond its shape: its time, the entry that a compaction names, and that calls and results go
// together. Remembered are only calls that wait for their result.

import { type JsonObject, stringAt } from "../base/json.ts";
import { type Message, toolCallsOf } from "../model/messages.ts";
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
  return {
    check(value, entry, line) {
      // The decoder keeps a time that is one.
      if (value["timestamp"] !== entry.timestamp) checkTimestamp(value, line, problems);
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
  end(): void;
}

/** Ids of calls are used again in real files: a result belongs to the oldest call of its id that still waits. */
function createCallPairs(problems: SessionProblem[]): CallPairs {
  const waiting = new Map<string, { readonly name: string; readonly line: number }[]>();
  return {
    take(message, line) {
      if (message.role === "toolResult") {
        const calls = waiting.get(message.toolCallId);
        if (calls === undefined)
          problems.push(
            problemAt(
              line,
              "result-without-call",
              `the result of ${message.toolName || "a tool"} has no call`,
            ),
          );
        else if (calls.length === 1) waiting.delete(message.toolCallId);
        else calls.shift();
      }
      // The calls of a message that was cut off never ran.
      if (message.role !== "assistant" || message.stopReason === "aborted" || message.stopReason === "error")
        return;
      for (const { id, name } of toolCallsOf(message)) {
        const calls = waiting.get(id);
        if (calls === undefined) waiting.set(id, [{ name, line }]);
        else calls.push({ name, line });
      }
    },
    end() {
      for (const calls of waiting.values())
        for (const { name, line } of calls)
          problems.push(problemAt(line, "call-without-result", `the call of ${name} has no result`));
    },
  };
}
