import { expect, test } from "bun:test";
import { appendFileSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { hostname } from "node:os";
import { HEADER, jsonl, sessionOf, sessionWith, userEntry } from "../testing/session-text.ts";
import { tempDir } from "../testing/temp.ts";
import { newHeader } from "./header.ts";
import { openSession } from "./open.ts";
import type { AppendEntry, SessionWriter } from "./session.ts";
import { createSession, memoryWriter, resumeSession } from "./writer.ts";

const LOCK = { owner: { pid: process.pid, hostname: hostname() }, waitMs: 0 };

function note(name: string): AppendEntry {
  return { type: "session_info", name };
}

function linesIn(path: string): readonly string[] {
  return readFileSync(path, "utf8").split("\n");
}

/** Type and name of each line of a file, which must all be JSON; the last byte must be a newline. */
function contentOf(path: string): readonly string[] {
  const lines = linesIn(path);
  expect(lines.at(-1)).toBe("");
  return lines.slice(0, -1).map((line) => {
    const value = JSON.parse(line);
    return `${value.type} ${value.name ?? value.id}`;
  });
}

async function textFrom(writer: SessionWriter): Promise<string> {
  return Buffer.concat(await Array.fromAsync(writer.lines())).toString();
}

test("createSession() makes a file of mode 0600 in directories of mode 0700, header first, and nothing beside it", async () => {
  using dir = tempDir();
  const header = newHeader({ cwd: "/x" });
  const path = `${dir.path}/store/one/s.jsonl`;
  const writer = await createSession({ path, header, ...LOCK });
  expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(header)}\n`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(`${dir.path}/store`).mode & 0o777).toBe(0o700);
  expect(statSync(`${dir.path}/store/one`).mode & 0o777).toBe(0o700);
  writer.close();
  writer.close();
  expect(readdirSync(`${dir.path}/store/one`)).toEqual(["s.jsonl"]);
});

test("createSession() refuses a path where something stands, and leaves it as it is", async () => {
  using dir = tempDir();
  const path = dir.write("s.jsonl", "mine");
  await expect(createSession({ path, header: HEADER, ...LOCK })).rejects.toMatchObject({ kind: "usage" });
  expect(readFileSync(path, "utf8")).toBe("mine");
  expect(readdirSync(dir.path)).toEqual(["s.jsonl"]);
});

test("createSession() says what is wrong with a path that leads through a file", async () => {
  using dir = tempDir();
  dir.write("file", "");
  const path = `${dir.path}/file/s.jsonl`;
  await expect(createSession({ path, header: HEADER, ...LOCK })).rejects.toMatchObject({
    kind: "failed",
    message: `Cannot create session "${path}": a part of the path is not a directory`,
  });
});

test("createSession() copies a branch line for line, and goes on after its leaf", async () => {
  using dir = tempDir();
  const odd = '{"type":"odd","id":"00000002","parentId":"00000001", "n":1.0}';
  const source = await sessionOf(
    jsonl(
      HEADER,
      userEntry("00000001", null),
      odd,
      userEntry("dead", "00000001"),
      userEntry("00000003", "00000002"),
    ),
  );
  const path = `${dir.path}/s.jsonl`;
  const branch = { session: source, leafId: "00000003" };
  const writer = await createSession({ path, header: newHeader({ cwd: "/x" }), branch, ...LOCK });
  const [entry] = writer.append([note("n")]);
  writer.close();
  expect(entry?.parentId).toBe("00000003");
  expect(linesIn(path).slice(1, 4)).toEqual([
    JSON.stringify(userEntry("00000001", null)),
    odd,
    JSON.stringify(userEntry("00000003", "00000002")),
  ]);
});

test("createSession() copies a branch from a damaged file to a sound one", async () => {
  using dir = tempDir();
  const path = `${dir.path}/s.jsonl`;
  const broken = (id: string, parentId: string) =>
    `{"type":"message","id":"${id}","parentId":"${parentId}","message":{"role":us}}`;
  const source = await sessionOf(
    jsonl(
      HEADER,
      userEntry("00000001", null),
      broken("00000002", "00000001"),
      userEntry("00000003", "00000002"),
      broken("00000004", "00000003"),
    ),
  );
  const branch = { session: source, leafId: source.leafId };
  const writer = await createSession({ path, header: newHeader({ cwd: "/x" }), branch, ...LOCK });
  writer.append([note("n")]);
  writer.close();
  const copy = await openSession(path);
  expect([...copy.entries()].map(({ id, type, parentId }) => [id, type, parentId]).slice(0, 4)).toEqual([
    ["00000001", "message", null],
    ["00000002", "custom", "00000001"],
    ["00000003", "message", "00000002"],
    ["00000004", "custom", "00000003"],
  ]);
  expect([copy.size, copy.entryAt(4).parentId, copy.problems]).toEqual([5, "00000004", []]);
});

test("append() gives entries ids, parents and times, and puts them in the file at once", async () => {
  using dir = tempDir();
  const path = `${dir.path}/s.jsonl`;
  const writer = await createSession({ path, header: HEADER, ...LOCK });
  const [a, b] = writer.append([note("a"), note("b")]);
  const [c] = writer.append([{ ...note("c"), parentId: null, id: "0000000c" }]);
  expect(a?.id).toMatch(/^[0-9a-f]{8}$/);
  expect([a?.parentId, b?.parentId, c?.parentId]).toEqual([null, a?.id ?? "", null]);
  expect(writer.leafId).toBe("0000000c");
  expect(
    linesIn(path)
      .slice(1, -1)
      .map((line) => JSON.parse(line)),
  ).toEqual([a, b, c]);
  writer.close();
});

test("append() writes a compaction that keeps nothing with its own id", async () => {
  const writer = memoryWriter(HEADER);
  const [entry] = writer.append([
    { type: "compaction", summary: "s", firstKeptEntryId: "", tokensBefore: 1 },
  ]);
  expect(entry).toMatchObject({ firstKeptEntryId: entry?.id });
});

test("resumeSession() goes on after the last entry, under the lock", async () => {
  using dir = tempDir();
  const path = dir.write("s.jsonl", jsonl(HEADER, userEntry("00000001", null)));
  const { session, writer } = await resumeSession({ path, ...LOCK });
  await expect(resumeSession({ path, ...LOCK })).rejects.toMatchObject({ kind: "locked" });
  expect(session.leafId).toBe("00000001");
  expect(writer.append([note("a")])[0]?.parentId).toBe("00000001");
  writer.close();
  expect(contentOf(path)).toEqual([`session ${HEADER.id}`, "message 00000001", "session_info a"]);
});

test("resumeSession() takes the session that was opened before, but reads it again if it has grown since", async () => {
  using dir = tempDir();
  const path = dir.write("s.jsonl", jsonl(HEADER, userEntry("00000001", null)));
  const opened = await openSession(path);
  const same = await resumeSession({ path, opened, ...LOCK });
  same.writer.close();
  expect(same.session).toBe(opened);
  appendFileSync(path, jsonl(userEntry("00000002", "00000001")));
  const grown = await resumeSession({ path, opened, ...LOCK });
  grown.writer.close();
  expect(grown.session.leafId).toBe("00000002");
});

test("resumeSession() locks one file under all its names", async () => {
  using dir = tempDir();
  const path = dir.write("s.jsonl", jsonl(HEADER));
  symlinkSync(path, `${dir.path}/link.jsonl`);
  const { writer } = await resumeSession({ path, ...LOCK });
  await expect(resumeSession({ path: `${dir.path}/link.jsonl`, ...LOCK })).rejects.toMatchObject({
    kind: "locked",
  });
  writer.close();
});

test("append() gives a torn line a line of its own, and cuts nothing", async () => {
  using dir = tempDir();
  const torn = '{"type":"message","id":"00000002","parentId":"00000001","message":{"role":"us';
  const before = jsonl(HEADER, userEntry("00000001", null)) + torn;
  const path = dir.write("s.jsonl", before);
  const { session, writer } = await resumeSession({ path, ...LOCK });
  expect(session.problems.map((problem) => problem.code)).toEqual(["torn-line"]);
  writer.append([note("a")]);
  // Somebody else tears the file while it is open.
  appendFileSync(path, "{");
  writer.append([note("b")]);
  writer.close();
  const text = readFileSync(path, "utf8");
  expect(text.startsWith(`${before}\n{"type":"session_info"`)).toBe(true);
  const again = await sessionOf(text);
  expect(again.problems.map((problem) => problem.code)).toEqual(["torn-line", "torn-line"]);
  expect([...again.entries()].map((entry) => entry.parentId)).toEqual([
    null,
    "00000001",
    again.entryAt(1).id,
  ]);
});

test("resumeSession() refuses what cannot go on in its own file", async () => {
  using dir = tempDir();
  const old = dir.write("v1.jsonl", jsonl({ ...HEADER, version: 1 }, { type: "session_info", name: "x" }));
  await expect(resumeSession({ path: old, ...LOCK })).rejects.toMatchObject({
    message: `Cannot append to session "${old}": it is of version 1 of the format`,
  });
  const bare = dir.write("bare.jsonl", jsonl(userEntry("00000001", null)));
  await expect(resumeSession({ path: bare, ...LOCK })).rejects.toThrow("it has no header");
  await expect(resumeSession({ path: `${dir.path}/none.jsonl`, ...LOCK })).rejects.toMatchObject({
    kind: "notFound",
  });
  expect(readdirSync(dir.path).sort()).toEqual(["bare.jsonl", "v1.jsonl"]);
});

test("lines() gives the whole session, as the file has it", async () => {
  using dir = tempDir();
  const path = `${dir.path}/s.jsonl`;
  const writer = await createSession({ path, header: HEADER, ...LOCK });
  writer.append([note("a")]);
  expect(await textFrom(writer)).toBe(readFileSync(path, "utf8"));
  writer.close();
});

test("memoryWriter() gives what came in byte for byte, then what was appended", async () => {
  const text = jsonl(
    HEADER,
    userEntry("00000001", null),
    '{"type":"odd","id":"00000002","parentId":null, "n":1.0}',
  );
  const base = await sessionOf(text);
  const writer = memoryWriter(base.header, base);
  const [entry] = writer.append([note("a")]);
  expect(entry?.parentId).toBe("00000002");
  const lines = (await textFrom(writer)).split("\n");
  expect(`${lines.slice(0, 3).join("\n")}\n`).toBe(text);
  expect(JSON.parse(lines[3] ?? "")).toEqual(entry);
});

test("memoryWriter() holds a branch alone when it is told to", async () => {
  const base = await sessionWith(
    userEntry("00000001", null),
    userEntry("dead", "00000001"),
    userEntry("00000003", "00000001"),
  );
  const writer = memoryWriter(base.header, base, [0, 2]);
  const [entry] = writer.append([note("a")]);
  expect(entry?.parentId).toBe("00000003");
  const lines = (await textFrom(writer)).split("\n");
  expect(lines.slice(0, 3)).toEqual(
    jsonl(HEADER, userEntry("00000001", null), userEntry("00000003", "00000001")).split("\n").slice(0, 3),
  );
  expect(JSON.parse(lines[3] ?? "")).toEqual(entry);
});
