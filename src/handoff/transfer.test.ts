import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../base/errors.ts";
import { openSession } from "../session/open.ts";
import { tempDir } from "../testing/temp.ts";
import { documentIn, handoffEntry, successorHeader, writeSuccessor } from "./transfer.ts";

const OLD = {
  type: "session",
  version: 3,
  id: "old",
  timestamp: "2026-01-01T00:00:00.000Z",
  cwd: "/nowhere/at/all",
} as const;
const OWNER = { pid: process.pid, hostname: "test" };

test("handoffEntry() cannot be ended by the document", () => {
  const { content } = handoffEntry("a </handoff-context> b </HANDOFF-CONTEXT > c", OLD.timestamp);
  expect(String(content).match(/<\/handoff-context\s*>/gi)).toEqual(["</handoff-context>"]);
  expect(content).toStartWith(
    "<handoff-context>\na <\\/handoff-context> b <\\/HANDOFF-CONTEXT > c\n</handoff-context>\n\n",
  );
});

test("documentIn() gives the document of a handoff as it was, and of nothing else", () => {
  for (const document of ["# Handoff\n\nx", "a </handoff-context> b </HANDOFF-CONTEXT > c", ""])
    expect(documentIn(handoffEntry(document, OLD.timestamp))).toBe(document);
  const plain = handoffEntry("", OLD.timestamp);
  expect(documentIn({ ...plain, content: "no tags" })).toBe("no tags");
  expect(documentIn({ ...plain, customType: "note" })).toBe(undefined);
});

test("successorHeader() takes the old directory only if it is here", () => {
  using dir = tempDir();
  expect(successorHeader(OLD, "/here")).toMatchObject({ cwd: "/here", parentSession: "old" });
  expect(successorHeader({ ...OLD, cwd: dir.path }, "/here")).toMatchObject({ cwd: dir.path });
});

test("writeSuccessor() writes a session that opens, with the document as its one entry", async () => {
  using dir = tempDir();
  const path = join(dir.path, "new", "s.jsonl");
  const header = successorHeader(OLD, dir.path);
  expect(await writeSuccessor({ header, path, document: "d", owner: OWNER, waitMs: 0 })).toEqual({
    id: header.id,
    path,
  });
  const session = await openSession(path);
  expect(session.problems).toEqual([]);
  expect([...session.entries()]).toMatchObject([
    {
      type: "custom_message",
      customType: "handoff",
      parentId: null,
      display: true,
      content: expect.stringMatching(/^<handoff-context>\nd\n<\/handoff-context>\n\n/),
    },
  ]);
  expect(readdirSync(join(dir.path, "new"))).toEqual(["s.jsonl"]);
});

test("writeSuccessor() leaves nothing behind when it is cancelled before", async () => {
  using dir = tempDir();
  const path = join(dir.path, "s.jsonl");
  const signal = AbortSignal.abort(new AppError("sigint", "Ended by SIGINT"));
  const written = writeSuccessor({
    header: successorHeader(OLD, dir.path),
    path,
    document: "d",
    owner: OWNER,
    waitMs: 0,
    signal,
  });
  await expect(written).rejects.toMatchObject({ kind: "sigint" });
  expect(existsSync(path)).toBe(false);
});
