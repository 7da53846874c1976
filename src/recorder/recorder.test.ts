import { expect, test } from "bun:test";
import type { AgentEvent, BranchEvent } from "../agent/events.ts";
import type { CustomMessage, Message } from "../model/messages.ts";
import { buildSessionContext } from "../session/context.ts";
import type { Entry } from "../session/entry.ts";
import { newHeader } from "../session/header.ts";
import { readSession } from "../session/open.ts";
import type { AppendEntry } from "../session/session.ts";
import { memoryWriter } from "../session/writer.ts";
import { answer } from "../testing/scripted-model.ts";
import { createRecorder } from "./recorder.ts";

const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });
const reminder: CustomMessage = {
  role: "custom",
  customType: "ttsr-injection",
  content: "mind the rule",
  display: false,
  details: { rules: ["r"] },
  timestamp: 1,
};
const result = {
  role: "toolResult",
  toolCallId: "c",
  toolName: "t",
  content: [],
  isError: true,
  timestamp: 1,
} as const;

/** A writer in memory that keeps the size of each append. */
function watchedWriter() {
  const writer = memoryWriter(newHeader({ cwd: "/project" }));
  const writes: number[] = [];
  const entries: Entry[] = [];
  const append = (wanted: readonly AppendEntry[]) => {
    writes.push(wanted.length);
    const added = writer.append(wanted);
    entries.push(...added);
    return added;
  };
  return {
    writer: {
      ...writer,
      append,
      get leafId() {
        return writer.leafId;
      },
    },
    writes,
    entries,
  };
}

const branch = (fields: Partial<BranchEvent>): BranchEvent => ({
  type: "branch",
  mode: "discard",
  partial: answer([{ type: "text", text: "void" }], "aborted"),
  results: [],
  reminder,
  injectedRules: ["r"],
  ...fields,
});
const ended = (message: Message): AgentEvent => ({ type: "message_end", message });

test("createRecorder() writes a message when it ends, and nothing of a void one", () => {
  const { writer, entries } = watchedWriter();
  const { record } = createRecorder(writer);
  record({ type: "message_start", role: "user" });
  record(ended(user("hi")));
  record({
    type: "message_end",
    message: answer([{ type: "text", text: "void" }], "error"),
    discarded: true,
  });
  record(ended({ ...reminder, customType: "note" }));
  expect(entries.map(({ type }) => type)).toEqual(["message", "custom_message"]);
});

test("createRecorder() writes what a rule's window carries at once, the reminder before the partial message", () => {
  const { writer, writes, entries } = watchedWriter();
  const { record } = createRecorder(writer);
  record(ended(user("hi")));
  const event = branch({});
  record(event);
  if (event.partial !== undefined) record({ type: "message_end", message: event.partial, discarded: true });
  record(ended(reminder));
  expect(writes).toEqual([1, 3]);
  const [first, partial, injected, names] = entries;
  expect([partial?.parentId, injected?.parentId, names?.parentId]).toEqual([
    first?.id ?? "",
    first?.id ?? "",
    injected?.id ?? "",
  ]);
  expect(names).toMatchObject({ type: "ttsr_injection", injectedRules: ["r"] });
});

test("createRecorder() keeps the partial message and its results on the branch with keep", () => {
  const { writer, writes, entries } = watchedWriter();
  const { record } = createRecorder(writer);
  record(ended(user("hi")));
  const event = branch({ mode: "keep", results: [result] });
  record(event);
  if (event.partial !== undefined) record(ended(event.partial));
  record(ended(result));
  record(ended(reminder));
  expect(writes).toEqual([1, 4]);
  for (const [index, entry] of entries.entries()) expect(entry.parentId).toBe(entries[index - 1]?.id ?? null);
});

test("createRecorder() names the first entry that a compaction keeps, also after time travel and a second compaction", async () => {
  const { writer } = watchedWriter();
  const { record } = createRecorder(writer);
  for (const text of ["a", "b"]) record(ended(user(text)));
  record(branch({}));
  record(ended(answer([{ type: "text", text: "c" }])));
  record({ type: "compaction_end", summary: "first", tokensBefore: 9, keptMessages: 2 });
  expect(await contents(writer)).toEqual(["first", "mind the rule", "c"]);
  record(ended(user("d")));
  record({ type: "compaction_end", summary: "second", tokensBefore: 9, keptMessages: 3 });
  expect(await contents(writer)).toEqual(["second", "mind the rule", "c", "d"]);
});

async function contents(writer: { lines(): AsyncIterable<Uint8Array> }): Promise<readonly string[]> {
  const { messages } = buildSessionContext(await readSession(writer.lines()));
  return messages.map((message) => {
    if (message.role === "compactionSummary") return message.summary;
    if (message.role === "user" || message.role === "custom") return String(message.content);
    return message.role === "assistant" && message.content[0]?.type === "text"
      ? message.content[0].text
      : "?";
  });
}

test("createRecorder() knows the entries of the session that it goes on in", async () => {
  const first = watchedWriter();
  createRecorder(first.writer).record(ended(user("a")));
  createRecorder(first.writer).record(ended(user("b")));
  const session = await readSession(first.writer.lines());
  const { entryIds } = buildSessionContext(session);
  const writer = memoryWriter(session.header, session);
  createRecorder(writer, entryIds).record({
    type: "compaction_end",
    summary: "s",
    tokensBefore: 9,
    keptMessages: 1,
  });
  expect(await contents(writer)).toEqual(["s", "b"]);
});
