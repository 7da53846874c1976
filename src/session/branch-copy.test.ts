// A branch that is copied into a file of its own, from a file whose links lead nowhere, in circles or to ids used twice.

import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  assistantEntry,
  chunksOf,
  HEADER,
  idsOf,
  jsonl,
  sessionOf,
  timeAt,
  userEntry,
} from "../testing/session-text.ts";
import { checkSession } from "./check.ts";
import { buildSessionContext } from "./context.ts";
import { newHeader } from "./header.ts";
import { readSession } from "./open.ts";
import { walkBranch } from "./tree.ts";
import { memoryWriter } from "./writer.ts";

async function copied(text: string): Promise<string> {
  const session = await sessionOf(text);
  const parts: Uint8Array[] = [];
  const writer = memoryWriter(newHeader({ cwd: "/x" }), session, walkBranch(session).indices);
  for await (const part of writer.lines()) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

async function errorsOf(text: string): Promise<readonly string[]> {
  const { problems } = await checkSession(chunksOf(text), "s");
  return problems.flatMap(({ code, severity }) => (severity === "error" ? [code] : []));
}

async function contextOf(text: string): Promise<unknown> {
  const { problems: _, ...context } = buildSessionContext(await readSession(chunksOf(text)));
  return context;
}

test("memoryWriter() links a branch anew where it hung on nothing or in a circle, and keeps all other bytes", async () => {
  const odd = (id: string, parent: string) => `{"type":"odd","id":"${id}","parentId":${parent}, "n": 1.0}`;
  const [a, b] = ["0000000a", "0000000b"];
  for (const first of ['"gone"', `"${b}"`, "null"])
    for (const second of ['"gone"', `"${a}"`]) {
      const text = jsonl(HEADER, odd(a, first), odd(b, second));
      const copy = (await copied(text)).split("\n").slice(1, -1);
      expect([first, second, copy]).toEqual([first, second, [odd(a, "null"), odd(b, `"${a}"`)]]);
    }
});

const ID = fc.constantFrom("0000000a", "0000000b", "0000000c", "0000000d", "0000000e");
const PARENT = fc.oneof(ID, ID, fc.constantFrom(null, "0000dead"));
const ENTRY = fc.tuple(fc.constantFrom("user", "assistant", "compaction"), ID, PARENT, ID);

function entryOf([kind, id, parentId, kept]: typeof ENTRY extends fc.Arbitrary<infer T> ? T : never): object {
  if (kind === "user") return userEntry(id, parentId);
  if (kind === "assistant") return assistantEntry(id, parentId);
  const timestamp = timeAt(3);
  return {
    type: "compaction",
    id,
    parentId,
    timestamp,
    summary: "s",
    firstKeptEntryId: kept,
    tokensBefore: 1,
  };
}

/** Whether compactions keep from entries of their branch, by ids that are used once: other ones are not in a copy. */
async function keepsOwn(text: string): Promise<boolean> {
  const session = await sessionOf(text);
  const { indices } = walkBranch(session);
  const ids = idsOf(session.entries());
  return indices.every((at) => {
    const entry = session.entryAt(at);
    const kept = entry.type === "compaction" ? session.indexOf(entry.firstKeptEntryId) : undefined;
    return kept === undefined || (indices.includes(kept) && ids.indexOf(ids[kept] ?? "") === kept);
  });
}

test("memoryWriter() copies any branch with its context, and with links that all lead to an entry before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ENTRY, { minLength: 1, maxLength: 9 }), async (entries) => {
      const text = jsonl(HEADER, ...entries.map(entryOf));
      fc.pre(await keepsOwn(text));
      const copy = await copied(text);
      expect(await contextOf(copy)).toEqual(await contextOf(text));
      const left = (await errorsOf(copy)).filter((code) => !/^(reused-id|first-kept-missing)$/.test(code));
      expect(left).toEqual([]);
    }),
    { numRuns: 600 },
  );
});
