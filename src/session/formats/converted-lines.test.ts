import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { chunksOf, FIXTURES, fixtureBytes } from "../../testing/conversion.ts";
import { HEADER, jsonl } from "../../testing/session-text.ts";
import { buildSessionContext } from "../context.ts";
import { readSession } from "../open.ts";
import type { Session } from "../session.ts";
import { convertedLines } from "./converted-lines.ts";
import { DEFAULT_CONVERSION } from "./format.ts";
import { recogniseFormat } from "./recognise.ts";

const SESSIONS = readdirSync(FIXTURES).filter(
  (name) => recogniseFormat(fixtureBytes(name)).kind === "session",
);

async function* linesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  const request = { chunks: chunksOf(bytes), name: "-", options: DEFAULT_CONVERSION };
  for await (const item of convertedLines(request))
    if (item.kind === "line") yield Buffer.concat([item.bytes, Buffer.from("\n")]);
}

/** All that a session says, as JSON has it; where in its file something stood is left out. */
function contentOf(session: Session): unknown {
  const { problems: _, ...context } = buildSessionContext(session);
  return JSON.parse(JSON.stringify([session.header, [...session.entries()], context]));
}

test("convertedLines() of another agent's session have no halves of surrogate pairs; lines of our own keep their bytes", async () => {
  const message = { role: "user", content: "a @ b" };
  const claude = { type: "user", uuid: "u", sessionId: "s", timestamp: HEADER.timestamp, cwd: "/x", message };
  const own = { type: "message", id: "0000000a", parentId: null, timestamp: HEADER.timestamp, message };
  const lines = async (...values: readonly object[]) => {
    const bytes = Buffer.from(jsonl(...values).replace("@", "\\ud800"));
    return Buffer.concat(await Array.fromAsync(linesOf(bytes))).toString("utf8");
  };
  expect(await lines(claude)).toContain(String.raw`"a \ufffd b"`);
  expect(await lines(HEADER, own)).toBe(jsonl(HEADER, own).replace("@", "\\ud800"));
});

test.each(SESSIONS)(
  "convertedLines() of %s are the session that opening the file itself gives",
  async (name) => {
    const bytes = fixtureBytes(name);
    const [own, converted] = [await readSession(chunksOf(bytes)), await readSession(linesOf(bytes))];
    expect(contentOf(converted)).toEqual(contentOf(own));
  },
);
