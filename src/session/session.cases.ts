// What a session file is trusted with, in every runtime: it is made whole, locked, appended to, healed and read again.

import { deepStrictEqual, rejects, throws } from "node:assert/strict";
import * as fs from "node:fs";
import process from "node:process";
import type { Case } from "../testing/cases.ts";
import { HEADER, jsonl, sessionWith, userEntry } from "../testing/session-text.ts";
import { tempDir } from "../testing/temp.ts";
import { checkSession } from "./check.ts";
import { buildSessionContext } from "./context.ts";
import { openSession } from "./open.ts";
import { sessionFileChunks } from "./source.ts";
import { createSession, resumeSession } from "./writer.ts";

const LOCK = { owner: { pid: process.pid, hostname: "here" }, waitMs: 0 };

export const SESSION_CASES: readonly Case[] = [
  {
    name: "createSession() makes a private file that a reader opens, and holds its lock until close()",
    async run() {
      using dir = tempDir();
      const path = `${dir.path}/store/s.jsonl`;
      const writer = await createSession({ path, header: HEADER, ...LOCK });
      writer.append([
        { type: "message", message: { role: "user", content: "ü 😀 \u2028 \ud800", timestamp: 1 } },
      ]);
      deepStrictEqual(fs.statSync(path).mode & 0o777, 0o600);
      await rejects(resumeSession({ path, ...LOCK }), { name: "AppError", kind: "locked" });
      writer.close();
      deepStrictEqual(fs.readdirSync(`${dir.path}/store`), ["s.jsonl"]);
      const session = await openSession(path);
      deepStrictEqual(session.problems, []);
      deepStrictEqual(buildSessionContext(session).messages, [
        { role: "user", content: "ü 😀 \u2028 \ufffd", timestamp: 1 },
      ]);
    },
  },
  {
    name: "resumeSession() gives a torn line a line of its own",
    async run() {
      using dir = tempDir();
      const path = dir.write("s.jsonl", `${jsonl(HEADER, userEntry("00000001", null))}{"type":"mess`);
      const { writer } = await resumeSession({ path, ...LOCK });
      writer.append([{ type: "session_info", name: "n" }]);
      writer.close();
      const { ok, entries, problems } = await checkSession(sessionFileChunks(path), "s");
      deepStrictEqual(
        [ok, entries, problems.map(({ line, code }) => `${line} ${code}`)],
        [false, 2, ["3 torn-line"]],
      );
    },
  },
  {
    name: "append() fails when the file was removed, and brings nothing back",
    async run() {
      using dir = tempDir();
      const path = `${dir.path}/s.jsonl`;
      const writer = await createSession({ path, header: HEADER, ...LOCK });
      fs.rmSync(path);
      throws(() => writer.append([{ type: "session_info", name: "n" }]), /the file was removed/);
      writer.close();
      deepStrictEqual(fs.readdirSync(dir.path), []);
    },
  },
  {
    name: "buildSessionContext() walks through missing parents and cycles",
    async run() {
      const session = await sessionWith(userEntry("a", null), userEntry("b", "gone"), userEntry("c", "c"));
      const { entryIds, problems } = buildSessionContext(session);
      deepStrictEqual(entryIds, ["a", "b", "c"]);
      deepStrictEqual(
        problems.map(({ code }) => code),
        ["later-parent", "cycle", "missing-parent"],
      );
    },
  },
];
