import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  assistantEntry,
  chunksOf,
  HEADER,
  idsOf,
  jsonl,
  sessionOf,
  userEntry,
} from "../testing/session-text.ts";
import { tempDir } from "../testing/temp.ts";
import { buildSessionContext } from "./context.ts";
import { openSession, readSession } from "./open.ts";
import type { Session } from "./session.ts";

function found(session: Session): readonly string[] {
  return session.problems.map(({ line, code }) => `${line} ${code}`);
}

const [ONE, TWO, THREE] = [
  userEntry("00000001", null),
  assistantEntry("00000002", "00000001"),
  userEntry("00000003", "00000002"),
];

test("openSession() gives header, entries and leaf of a file", async () => {
  using dir = tempDir();
  const path = dir.write("s.jsonl", jsonl(HEADER, ONE, TWO));
  const session = await openSession(path);
  expect({ ...session.header }).toEqual({ ...HEADER });
  expect<unknown>([...session.entries()]).toEqual([ONE, TWO]);
  const { format, path: from, problems, size, leafId } = session;
  expect({ format, from, problems, size, leafId }).toEqual({
    format: "pi-v3",
    from: path,
    problems: [],
    size: 2,
    leafId: "00000002",
  });
});

test("openSession() ends with notFound for a file that is not there", async () => {
  await expect(openSession("/nowhere/s.jsonl")).rejects.toMatchObject({ kind: "notFound" });
});

test("readSession() ends with input when nothing can be used", async () => {
  for (const text of ["", "\n\n", "no session at all\n", '{"a":1}\n', "[]\n"])
    await expect(sessionOf(text)).rejects.toMatchObject({ kind: "input" });
});

test("readSession() keeps what is no entry as a problem with its line, and reads the rest", async () => {
  const session = await sessionOf(
    jsonl(
      HEADER,
      ONE,
      "not JSON",
      "[1,2]",
      "null",
      '{"no":"type"}',
      '{"type":"message","id":"x","text":"half',
      TWO,
    ),
  );
  expect(found(session)).toEqual(["3 not-json", "4 not-object", "5 not-object", "6 no-type", "7 torn-line"]);
  expect(idsOf(session.entries())).toEqual(["00000001", "00000002"]);
});

test("readSession() reads all whole lines of a file that was cut anywhere", async () => {
  const text = new TextEncoder().encode(jsonl(HEADER, ONE, TWO, THREE));
  const header = new TextEncoder().encode(jsonl(HEADER)).length;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: header, max: text.length }), async (cut) => {
      const whole = new TextDecoder().decode(text.slice(0, cut)).split("\n").length - 2;
      const session = await sessionOf(text.slice(0, cut));
      // The newline is not what makes a line whole: the last one may stand without it.
      expect(session.size === whole || session.size === whole + 1).toBe(true);
      expect(idsOf(session.entries())).toEqual(["00000001", "00000002", "00000003"].slice(0, session.size));
      expect(session.problems.every((problem) => problem.code === "torn-line")).toBe(true);
    }),
  );
});

test("readSession() gives the same session however the stream was cut", async () => {
  const text = `\ufeff${jsonl(HEADER, ONE, "broken {", TWO).replaceAll("\n", "\r\n")}${JSON.stringify(THREE)}`;
  const whole = await sessionOf(text);
  for (const size of [1, 2, 3, 7, 64, 333]) {
    const session = await readSession(chunksOf(text, size));
    expect([...session.entries()]).toEqual([...whole.entries()]);
    expect(session.problems).toEqual(whole.problems);
    expect(session.header).toEqual(whole.header);
  }
  expect(found(whole)).toEqual(["3 not-json"]);
  expect(whole.size).toBe(3);
});

test("readSession() takes a title line before the header as the title", async () => {
  const title = { type: "title", v: 1, title: "What it is about", pad: " ".repeat(50) };
  const session = await sessionOf(jsonl(title, HEADER, ONE));
  expect(session.header).toEqual({ ...HEADER, title: "What it is about" });
  expect(session.problems).toEqual([]);
});

test("readSession() makes a header where there is none, the same at every reading", async () => {
  const text = jsonl(ONE, TWO);
  const [first, second] = [await sessionOf(text), await sessionOf(text)];
  expect(first.header).toEqual(second.header);
  expect(first.header.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(found(first)).toEqual(["1 no-header"]);
  expect(first.size).toBe(2);
});

test("readSession() gives a header whose time is none, and the entries that have none, a time", async () => {
  const { timestamp: _time, ...entry } = ONE;
  const session = await sessionOf(jsonl({ ...HEADER, timestamp: "yesterday" }, entry));
  const epoch = "1970-01-01T00:00:00.000Z";
  expect([session.header.timestamp, session.entryAt(0).timestamp]).toEqual([epoch, epoch]);
  expect(found(session)).toEqual(["1 no-timestamp"]);
});

test("readSession() finds a header that is not first, and a second one", async () => {
  const session = await sessionOf(jsonl("garbage", HEADER, ONE, { ...HEADER, id: "other" }, TWO));
  expect(session.header.id).toBe(HEADER.id);
  expect(found(session)).toEqual(["1 not-json", "2 header-not-first", "4 extra-header"]);
  expect(session.size).toBe(2);
});

test("readSession() takes no header that stands behind line 1,000 for the file's own", async () => {
  const entries = (count: number) =>
    Array.from({ length: count }, (_, at) => userEntry(`e${at}`, at === 0 ? null : `e${at - 1}`));
  const near = await sessionOf(jsonl(...entries(999), HEADER));
  expect([near.header.id, found(near)]).toEqual([HEADER.id, ["1000 header-not-first"]]);
  const far = await sessionOf(jsonl(...entries(1_000), HEADER));
  expect([far.header.id === HEADER.id, found(far)]).toEqual([false, ["1 no-header", "1001 extra-header"]]);
});

test("readSession() gives entries of version 1 ids from line and content, the same at every reading", async () => {
  const { id: _id, parentId: _parent, ...message } = ONE;
  const { version: _version, ...header } = HEADER;
  const text = jsonl(header, message, message, { ...message, more: 1 });
  const [first, second] = [await sessionOf(text), await sessionOf(text)];
  const ids = idsOf(first.entries());
  expect(ids).toEqual(idsOf(second.entries()));
  expect(new Set(ids).size).toBe(3);
  expect(ids.every((id) => /^[0-9a-f]{8}$/.test(id))).toBe(true);
  expect<unknown>([...first.entries()].map((entry) => entry.parentId)).toEqual([null, ...ids.slice(0, 2)]);
  expect(first.format).toBe("pi-v1");
  expect(first.problems).toEqual([]);
  // A line added at the end changes no id before it.
  expect<unknown>(idsOf((await sessionOf(text + jsonl(message))).entries()).slice(0, 3)).toEqual(ids);
});

test("readSession() says which entries of a later version lack an id, a parent or a field", async () => {
  const session = await sessionOf(
    jsonl(
      HEADER,
      { ...ONE, id: undefined },
      { ...TWO, parentId: undefined },
      { ...THREE, message: { role: "user" } },
    ),
  );
  const entries = [...session.entries()];
  expect(found(session)).toEqual(["2 no-id", "3 no-parent", "4 missing-field"]);
  expect(entries[1]?.parentId).toBe(entries[0]?.id ?? "");
  expect(entries[2]).toMatchObject({ type: "unknown", originalType: "message", id: "00000003" });
});

test("readSession() reads a line of 50 MB", async () => {
  const long = "x".repeat(50_000_000);
  const session = await sessionOf(jsonl(HEADER, userEntry("00000001", null, long), TWO));
  const entry = session.entryAt(0);
  expect(entry.type === "message" && entry.message.role === "user" && entry.message.content.length).toBe(
    50_000_000,
  );
  expect(session.size).toBe(2);
});

test("readSession() gives unknown entries back byte for byte", async () => {
  const line =
    '{"type":"mode_change", "id":"00000009","parentId":null,"n":1.50,"u":"\\u00e9\\/","timestamp":"x"}';
  const session = await sessionOf(jsonl(HEADER, line));
  expect(new TextDecoder().decode(session.lineAt(0))).toBe(line);
  expect(session.entryAt(0)).toMatchObject({ type: "unknown", originalType: "mode_change" });
});

test("readSession() keeps the bytes of an unknown entry of version 1, and adds its id and parent", async () => {
  const { version: _version, ...header } = HEADER;
  const session = await sessionOf(jsonl(header, '{"type":"odd","n":1.50}'));
  const id = session.leafId;
  expect(new TextDecoder().decode(session.lineAt(0))).toBe(
    `{"type":"odd","n":1.50,"id":"${id}","parentId":null}`,
  );
});

test("readSession() sees a line that is broken inside a value when it is decoded, and keeps its place", async () => {
  const session = await sessionOf(
    jsonl(HEADER, ONE, '{"type":"message","id":"00000002","parentId":"00000001","x":tru}'),
  );
  expect(found(session)).toEqual([]);
  const unreadable = { type: "custom", id: "00000002", parentId: "00000001", customType: "unreadable" };
  expect(session.entryAt(1)).toMatchObject({ ...unreadable, data: { line: 3 } });
  expect(found(session)).toEqual(["3 not-json"]);
  expect(JSON.parse(new TextDecoder().decode(session.lineAt(1)))).toEqual(session.entryAt(1));
});

test("openSession() says that a directory is no session", async () => {
  using dir = tempDir();
  await expect(openSession(dir.path)).rejects.toMatchObject({
    kind: "input",
    message: expect.stringContaining("directory"),
  });
});

test("readSession() sees values that are nested beyond all measure when they are decoded, and keeps their place", async () => {
  const deep = `{"type":"custom","id":"x","parentId":null,"data":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const session = await sessionOf(jsonl(HEADER, ONE, deep, TWO));
  expect(session.entryAt(1)).toMatchObject({ type: "custom", id: "x", customType: "unreadable" });
  expect(found(session)).toEqual(["3 too-deep"]);
});

test("readSession() keeps the branch of what hangs on a broken line", async () => {
  const torn = '{"type":"message","id":"0000000a","parentId":"00000001","mess{"type":"message","usage":{}}';
  const session = await sessionOf(jsonl(HEADER, ONE, TWO, torn, userEntry("0000000b", "0000000a")));
  const { entryIds } = buildSessionContext(session);
  expect(entryIds).toEqual(["00000001", "0000000b"]);
  expect(found(session)).toEqual(["4 not-json"]);
});
