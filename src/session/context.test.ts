import { expect, test } from "bun:test";
import { textOf } from "../model/messages.ts";
import {
  assistantEntry,
  HEADER,
  jsonl,
  sessionOf,
  sessionWith,
  timeAt,
  userEntry,
} from "../testing/session-text.ts";
import { buildSessionContext } from "./context.ts";
import type { Session, SessionContext } from "./session.ts";

const at = { timestamp: timeAt(9) };

function compaction(id: string, parentId: string, firstKeptEntryId: string) {
  return {
    type: "compaction",
    id,
    parentId,
    ...at,
    summary: `summary ${id}`,
    firstKeptEntryId,
    tokensBefore: 5,
  };
}

/** Each message as one word: its text, or its summary. */
function words(context: SessionContext): readonly string[] {
  return context.messages.map((message) => {
    if ("summary" in message) return message.summary;
    return message.role === "bashExecution" ? message.command : textOf(message.content);
  });
}

function problems(context: SessionContext): readonly string[] {
  return context.problems.map(({ line, code }) => `${line} ${code}`);
}

test("buildSessionContext() gives the branch's messages, with what other entries put in", async () => {
  const bash = {
    role: "bashExecution",
    command: "ls",
    output: "",
    cancelled: false,
    truncated: false,
    timestamp: 1,
  };
  const session = await sessionWith(
    userEntry("a", null),
    userEntry("dead", "a"),
    {
      type: "custom_message",
      id: "b",
      parentId: "a",
      ...at,
      customType: "x",
      content: "note",
      display: false,
    },
    { type: "custom", id: "c", parentId: "b", ...at, customType: "x", data: 1 },
    { type: "branch_summary", id: "d", parentId: "c", ...at, fromId: "dead", summary: "tried" },
    { type: "branch_summary", id: "e", parentId: "d", ...at, fromId: "dead", summary: "" },
    { type: "message", id: "f", parentId: "e", ...at, message: bash },
    {
      type: "message",
      id: "g",
      parentId: "f",
      ...at,
      message: { ...bash, command: "pwd", excludeFromContext: true },
    },
    { type: "label", id: "h", parentId: "g", ...at, targetId: "a", label: "l" },
    { type: "odd", id: "i", parentId: "h", ...at },
  );
  const context = buildSessionContext(session);
  expect(words(context)).toEqual(["a", "note", "tried", "ls"]);
  expect(context.entryIds).toEqual(["a", "b", "d", "f"]);
  expect(context.messages[1]).toEqual({
    role: "custom",
    customType: "x",
    content: "note",
    display: false,
    timestamp: Date.parse(at.timestamp),
  });
  expect(context.problems).toEqual([]);
});

test("buildSessionContext() gives the last compaction's summary, what it keeps, and what follows", async () => {
  const session = await sessionWith(
    userEntry("a", null),
    userEntry("b", "a"),
    compaction("c1", "b", "b"),
    userEntry("c", "c1"),
    userEntry("d", "c"),
    compaction("c2", "d", "c"),
    userEntry("e", "c2"),
  );
  expect(words(buildSessionContext(session))).toEqual(["summary c2", "c", "d", "e"]);
  expect(words(buildSessionContext(session, "d"))).toEqual(["summary c1", "b", "c", "d"]);
  expect(words(buildSessionContext(session, "b"))).toEqual(["a", "b"]);
});

test("buildSessionContext() keeps what reaches back before an earlier compaction", async () => {
  const session = await sessionWith(
    userEntry("a", null),
    userEntry("b", "a"),
    compaction("c1", "b", "b"),
    userEntry("c", "c1"),
    compaction("c2", "c", "b"),
  );
  expect(words(buildSessionContext(session))).toEqual(["summary c2", "b", "c"]);
});

test("buildSessionContext() keeps what the named compaction kept when firstKeptEntryId names one", async () => {
  const session = await sessionWith(
    userEntry("a", null),
    userEntry("b", "a"),
    compaction("c1", "b", "b"),
    compaction("c2", "c1", "c1"),
    compaction("c3", "c2", "c2"),
    userEntry("d", "c3"),
  );
  expect(words(buildSessionContext(session))).toEqual(["summary c3", "b", "d"]);
});

test("buildSessionContext() keeps nothing when a compaction names itself or what follows it", async () => {
  const own = await sessionWith(userEntry("a", null), compaction("c1", "a", "c1"), userEntry("b", "c1"));
  expect(words(buildSessionContext(own))).toEqual(["summary c1", "b"]);
  const next = await sessionWith(userEntry("a", null), compaction("c1", "a", "b"), userEntry("b", "c1"));
  expect(words(buildSessionContext(next))).toEqual(["summary c1", "b"]);
  expect(problems(buildSessionContext(next))).toEqual([]);
});

test("buildSessionContext() keeps all since the compaction before when firstKeptEntryId is not in the file", async () => {
  const session = await sessionWith(
    userEntry("a", null),
    compaction("c1", "a", "a"),
    userEntry("b", "c1"),
    compaction("c2", "b", "gone"),
    userEntry("c", "c2"),
  );
  const context = buildSessionContext(session);
  expect(words(context)).toEqual(["summary c2", "b", "c"]);
  expect(problems(context)).toEqual(["5 first-kept-missing"]);
});

test("buildSessionContext() starts after the fork when firstKeptEntryId is on another branch", async () => {
  const session = await sessionWith(
    userEntry("a", null),
    userEntry("b", "a"),
    userEntry("dead", "b"),
    userEntry("c", "b"),
    compaction("c1", "c", "dead"),
  );
  expect(words(buildSessionContext(session))).toEqual(["summary c1", "c"]);
});

test("buildSessionContext() understands the positions that version 1 keeps from", async () => {
  const { version: _version, ...header } = HEADER;
  const bare = (text: string) => ({
    type: "message",
    ...at,
    message: { role: "user", content: text, timestamp: 1 },
  });
  const compacted = { type: "compaction", ...at, summary: "s", firstKeptEntryIndex: 2, tokensBefore: 1 };
  const session = await sessionOf(jsonl(header, bare("a"), bare("b"), compacted, bare("c")));
  expect(words(buildSessionContext(session))).toEqual(["s", "b", "c"]);
});

test("buildSessionContext() reports the broken links of the branch, and keeps the history before them", async () => {
  const session = await sessionWith(userEntry("a", null), userEntry("b", "gone"), userEntry("c", "b"));
  const context = buildSessionContext(session);
  expect(words(context)).toEqual(["a", "b", "c"]);
  expect(problems(context)).toEqual(["3 missing-parent"]);
});

test("buildSessionContext() takes model and thinking level from the last entry that says them", async () => {
  const change = { type: "model_change", id: "b", parentId: "a", ...at, provider: "p", modelId: "m1" };
  const level = (id: string, parentId: string, thinkingLevel: string) => ({
    type: "thinking_level_change",
    id,
    parentId,
    ...at,
    thinkingLevel,
  });
  const session = await sessionWith(
    userEntry("a", null),
    change,
    level("c", "b", "low"),
    assistantEntry("d", "c", { provider: "q", model: "m2" }),
    level("e", "d", "high"),
    { ...change, id: "f", parentId: "e", modelId: "m3" },
  );
  const settings = (of: Session, leafId?: string) => {
    const { model, thinkingLevel } = buildSessionContext(of, leafId);
    return [model?.provider, model?.modelId, thinkingLevel];
  };
  expect(settings(session, "a")).toEqual([undefined, undefined, undefined]);
  expect(settings(session, "c")).toEqual(["p", "m1", "low"]);
  expect(settings(session, "d")).toEqual(["q", "m2", "low"]);
  expect(settings(session)).toEqual(["p", "m3", "high"]);
  const old = await sessionOf(
    jsonl({ ...HEADER, version: 1, provider: "p", modelId: "m", thinkingLevel: "off" }),
  );
  expect(settings(old)).toEqual(["p", "m", "off"]);
});

test("buildSessionContext() restores injected rules with their age in answers that were not aborted", async () => {
  const injection = (id: string, parentId: string, ...injectedRules: readonly string[]) => ({
    type: "ttsr_injection",
    id,
    parentId,
    ...at,
    injectedRules,
  });
  const session = await sessionWith(
    userEntry("a", null),
    injection("other", "a", "elsewhere"),
    injection("b", "a", "one", "two"),
    assistantEntry("c", "b"),
    assistantEntry("d", "c", { stopReason: "aborted" }),
    injection("e", "d", "two"),
    compaction("f", "e", "f"),
    assistantEntry("g", "f"),
  );
  expect(buildSessionContext(session).injectedTtsrRules).toEqual([
    { name: "one", age: 2 },
    { name: "two", age: 1 },
  ]);
});

test("buildSessionContext() follows a chain of twenty thousand compactions that name one another", async () => {
  const chain = Array.from({ length: 20_000 }, (_, index) =>
    index === 0 ? compaction("c0", "b", "b") : compaction(`c${index}`, `c${index - 1}`, `c${index - 1}`),
  );
  const session = await sessionWith(
    userEntry("a", null),
    userEntry("b", "a"),
    ...chain,
    userEntry("c", "c19999"),
  );
  expect(words(buildSessionContext(session))).toEqual(["summary c19999", "b", "c"]);
});
