// Files damaged at any byte: nothing crashes, nothing hangs, every line that was not hit is still there, and what was
// hit is said.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { AppError } from "../base/errors.ts";
import {
  assistantEntry,
  chunksOf,
  HEADER,
  jsonl,
  sessionOf,
  timeAt,
  userEntry,
} from "../testing/session-text.ts";
import { checkSession } from "./check.ts";
import { buildSessionContext } from "./context.ts";
import { readSession } from "./open.ts";
import { sessionLines } from "./session-lines.ts";
import { memoryWriter } from "./writer.ts";

const IDS = ["0000000a", "0000000b", "0000000c", "0000000d", "0000000e", "0000000f"] as const;
const ENTRIES = [
  userEntry(IDS[0], null, "hello ü 😀"),
  assistantEntry(IDS[1], IDS[0], {
    content: [{ type: "toolCall", id: "c", name: "ls", arguments: { path: "." } }],
  }),
  {
    type: "compaction",
    id: IDS[2],
    parentId: IDS[1],
    timestamp: timeAt(3),
    summary: "s",
    firstKeptEntryId: IDS[1],
    tokensBefore: 1,
  },
  { type: "ttsr_injection", id: IDS[3], parentId: IDS[2], timestamp: timeAt(4), injectedRules: ["r"] },
  { type: "odd", id: IDS[4], parentId: IDS[3], timestamp: timeAt(5), deep: [[[{ a: '"\\' }]]] },
  userEntry(IDS[5], IDS[4], "bye"),
];
const LINES = [HEADER, ...ENTRIES].map((line) => jsonl(line));
const BYTES = new TextEncoder().encode(LINES.join(""));

interface Damage {
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly number[];
}

const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(BYTES.length - 1),
  remove: fc.nat(40),
  insert: fc.array(fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(10, 34, 92, 123, 125)), {
    maxLength: 8,
  }),
});

function damaged({ at, remove, insert }: Damage): Uint8Array {
  return Uint8Array.from([...BYTES.slice(0, at), ...insert, ...BYTES.slice(at + remove)]);
}

/** Ids of the entries whose lines lie wholly outside the damage, with a whole line before and after it. */
function untouched({ at, remove, insert }: Damage): readonly string[] {
  let start = LINES[0]?.length ?? 0;
  const found: string[] = [];
  for (const [index, line] of LINES.slice(1).entries()) {
    const length = new TextEncoder().encode(line).length;
    const isBefore = start + length <= at;
    // A removed newline joins the next line to the damage; an inserted byte at its start belongs to it.
    const isAfter = start > at + remove || (start === at + remove && remove === 0 && insert.length === 0);
    if (isBefore || isAfter) found.push(IDS[index] ?? "");
    start += length;
  }
  return found;
}

test("a session damaged at any byte is read as far as it goes, by every reader", async () => {
  await fc.assert(
    fc.asyncProperty(damage, async (hit) => {
      const bytes = damaged(hit);
      const [session, check] = await Promise.all([
        sessionOf(bytes).catch((error: unknown) => error),
        checkSession(chunksOf(bytes), "s").catch((error: unknown) => error),
      ]);
      if (session instanceof Error || check instanceof Error) {
        // Only a file of which nothing is known to be ours is given up, and then by all.
        expect([session, check].map((error) => error instanceof AppError && error.kind)).toEqual([
          "input",
          "input",
        ]);
        return;
      }
      const readable = session as Awaited<ReturnType<typeof sessionOf>>;
      const ids = [...readable.entries()].map(({ id }) => id);
      expect(untouched(hit).filter((id) => !ids.includes(id))).toEqual([]);
      const context = buildSessionContext(readable);
      expect(context.messages.length).toBe(context.entryIds.length);
      // What is written from it is sound: every line is JSON, and reads again.
      const text = [...sessionLines(readable)].map((part) => new TextDecoder().decode(part)).join("");
      for (const line of text.split("\n").slice(0, -1)) JSON.parse(line);
      const again = await readSession(memoryWriter(readable.header, readable).lines());
      const { messages, entryIds } = buildSessionContext(again);
      expect({ messages, entryIds }).toEqual({ messages: context.messages, entryIds: context.entryIds });
    }),
    { numRuns: 1500 },
  );
});
