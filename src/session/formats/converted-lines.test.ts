import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { chunksOf, FIXTURES, fixtureBytes } from "../../testing/conversion.ts";
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

test.each(SESSIONS)(
  "convertedLines() of %s are the session that opening the file itself gives",
  async (name) => {
    const bytes = fixtureBytes(name);
    const [own, converted] = [await readSession(chunksOf(bytes)), await readSession(linesOf(bytes))];
    expect(contentOf(converted)).toEqual(contentOf(own));
  },
);
