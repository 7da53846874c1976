import { expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { assistantEntry, HEADER, jsonl, timeAt, userEntry } from "../testing/session-text.ts";
import { tempDir } from "../testing/temp.ts";
import { listSessions } from "./listing.ts";
import { summariseSession } from "./summary.ts";

const TIME = new Date("2026-01-02T03:04:05.000Z");

/** The summary of a file with this text, without its path. */
function summaryOf(text: string) {
  using dir = tempDir();
  const path = dir.write("s.jsonl", text);
  utimesSync(path, TIME, TIME);
  const summary = summariseSession(path);
  if (summary === undefined) return undefined;
  const { path: _path, ...rest } = summary;
  return rest;
}

function named(id: string, parentId: string, name: string) {
  return { type: "session_info", id, parentId, timestamp: timeAt(3), name };
}

test("summariseSession() tells what a list shows", () => {
  const entries = [
    userEntry("a", null, "  what to\ndo  "),
    assistantEntry("b", "a"),
    named("c", "b", "first"),
    named("d", "c", "second"),
  ];
  expect(summaryOf(jsonl(HEADER, ...entries))).toEqual({
    id: HEADER.id,
    cwd: HEADER.cwd,
    format: "pi-v3",
    name: "second",
    messages: 2,
    modified: TIME.toISOString(),
    firstPrompt: "what to\ndo",
  });
});

test("summariseSession() reads head and tail of a long file, and says that it estimates", () => {
  const many = Array.from({ length: 5_000 }, (_, at) =>
    userEntry(`e${at}`, at === 0 ? null : `e${at - 1}`, "text ".repeat(40)),
  );
  const summary = summaryOf(jsonl(HEADER, ...many, named("n", "e4999", "named at the end")));
  expect(summary).toMatchObject({ name: "named at the end", messagesEstimated: true });
  expect(Math.abs((summary?.messages ?? 0) - 5_000)).toBeLessThan(100);
});

test("summariseSession() looks further for a first prompt behind a long beginning", () => {
  const blob = {
    type: "custom",
    id: "a",
    parentId: null,
    timestamp: timeAt(1),
    customType: "x",
    data: "y".repeat(100_000),
  };
  expect(summaryOf(jsonl(HEADER, blob, userEntry("b", "a", "hello")))).toMatchObject({
    firstPrompt: "hello",
    messages: 1,
  });
});

test("summariseSession() copes with torn, headerless and foreign files", () => {
  expect(summaryOf(`${jsonl(HEADER, userEntry("a", null, "hi"))}{"type":"mess`)).toMatchObject({
    messages: 1,
    firstPrompt: "hi",
  });
  expect(summaryOf(JSON.stringify(HEADER))).toMatchObject({ id: HEADER.id, messages: 0, firstPrompt: "" });
  expect(summaryOf(jsonl(userEntry("a", null, "hi")))).toMatchObject({ messages: 1, firstPrompt: "hi" });
  expect(summaryOf("")).toBeUndefined();
  expect(summaryOf("not a session\n")).toBeUndefined();
  expect(summariseSession("/nowhere")).toBeUndefined();
});

test("listSessions() gives the newest first", async () => {
  using dir = tempDir();
  const write = (name: string, id: string, second: number) =>
    utimesSync(dir.write(`project/${name}.jsonl`, jsonl({ ...HEADER, id })), second, second);
  write("1", "old", 1000);
  write("2", "new", 3000);
  write("3", "middle", 2000);
  expect((await listSessions({ store: dir.path })).map(({ id }) => id)).toEqual(["new", "middle", "old"]);
  expect(await listSessions({ store: dir.path, cwd: "/elsewhere" })).toEqual([]);
});

test("summariseSession() names what a session without a prompt begins with", () => {
  const handoff = {
    type: "custom_message",
    id: "a",
    parentId: null,
    timestamp: timeAt(1),
    customType: "handoff",
    content: "c",
    display: true,
  };
  expect(summaryOf(jsonl(HEADER, handoff))).toMatchObject({
    messages: 0,
    firstPrompt: "",
    beginsWith: "handoff",
  });
  expect(summaryOf(jsonl(HEADER, handoff, userEntry("b", "a", "go on")))).not.toHaveProperty("beginsWith");
});
