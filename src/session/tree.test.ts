import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  assistantEntry,
  HEADER,
  idsOf,
  jsonl,
  sessionOf,
  sessionWith,
  userEntry,
} from "../testing/session-text.ts";
import { getBranch, walkBranch } from "./tree.ts";

test("getBranch() gives the path from the root to the last entry in the file", async () => {
  const session = await sessionWith(
    userEntry("a", null),
    userEntry("b", "a"),
    userEntry("c", "b"),
    userEntry("d", "a"),
    userEntry("e", "d"),
  );
  expect(idsOf(getBranch(session))).toEqual(["a", "d", "e"]);
  expect(idsOf(getBranch(session, "c"))).toEqual(["a", "b", "c"]);
  expect([...getBranch(session, null)]).toEqual([]);
  expect([...getBranch(session, "zz")]).toEqual([]);
});

test("getBranch() leaves out a last message that a rule discarded: its writer was killed before it could write the next", async () => {
  const discarded = { ...assistantEntry("c", "b", { stopReason: "aborted" }), discarded: true };
  const session = await sessionWith(userEntry("a", null), userEntry("b", "a"), discarded);
  expect([session.leafId, idsOf(getBranch(session))]).toEqual(["b", ["a", "b"]]);
  const alone = await sessionWith({ ...discarded, parentId: null });
  expect([alone.leafId, idsOf(getBranch(alone))]).toEqual([null, []]);
});

test("getBranch() falls back to the entry before in the file when a parent is missing, and says so", async () => {
  const session = await sessionWith(userEntry("a", null), userEntry("b", "a"), userEntry("c", "gone"));
  expect(idsOf(getBranch(session))).toEqual(["a", "b", "c"]);
  expect(walkBranch(session).problems.map(({ line, code }) => ({ line, code }))).toEqual([
    { line: 4, code: "missing-parent" },
  ]);
  expect(session.entry("c")?.parentId).toBe("gone");
});

test("getBranch() takes the nearest entry before as parent when an id is used again", async () => {
  const session = await sessionWith(
    userEntry("a", null, "first"),
    userEntry("b", "a"),
    userEntry("a", "b", "second"),
    userEntry("c", "a"),
  );
  const texts = [...getBranch(session)].map(
    (entry) => entry.type === "message" && entry.message.role === "user" && entry.message.content,
  );
  expect(texts).toEqual(["first", "b", "second", "c"]);
  expect(session.problems.map(({ line, code }) => ({ line, code }))).toEqual([
    { line: 4, code: "reused-id" },
  ]);
});

test("getBranch() follows a parent that stands later in the file, and says so", async () => {
  const session = await sessionWith(
    userEntry("a", null),
    userEntry("c", "b"),
    userEntry("b", "a"),
    userEntry("d", "c"),
  );
  expect(idsOf(getBranch(session))).toEqual(["a", "b", "c", "d"]);
  expect(walkBranch(session).problems.map((problem) => problem.code)).toEqual(["later-parent"]);
});

test("getBranch() goes on before a cycle, keeps all of its entries, and says so", async () => {
  const session = await sessionWith(
    userEntry("a", null),
    userEntry("b", "d"),
    userEntry("c", "b"),
    userEntry("d", "c"),
    userEntry("self", "self"),
  );
  expect(idsOf(getBranch(session, "d"))).toEqual(["a", "b", "c", "d"]);
  expect(walkBranch(session, "d").problems.map((problem) => problem.code)).toEqual(["later-parent", "cycle"]);
  expect(idsOf(getBranch(session))).toEqual(["a", "b", "c", "d", "self"]);
});

/** Any parent map: each entry names null, another entry, itself, or one that is not there. */
const parentMaps = fc
  .integer({ min: 1, max: 12 })
  .chain((size) =>
    fc.array(fc.option(fc.integer({ min: -1, max: size })), { minLength: size, maxLength: size }),
  );

test("walkBranch() ends for every parent map, with each entry at most once and the leaf last", async () => {
  await fc.assert(
    fc.asyncProperty(parentMaps, async (parents) => {
      const session = await sessionWith(
        ...parents.map((parent, index) => userEntry(`e${index}`, parent === null ? null : `e${parent}`)),
      );
      const { indices, problems } = walkBranch(session);
      expect(new Set(indices).size).toBe(indices.length);
      expect(indices.at(-1)).toBe(parents.length - 1);
      // It ends at a root, or when nothing stands before what it saw: no history is dropped.
      const root = indices[0] ?? -1;
      expect(indices.includes(0) || parents[root] === null).toBe(true);
      const sound = indices.every((at, place) => session.parentAt(at) === (indices[place - 1] ?? -1));
      if (!sound) expect(problems.map((problem) => problem.code)).toContain("cycle");
    }),
  );
});

test("walkBranch() walks a hundred thousand entries that all hang on later ones", async () => {
  const size = 100_000;
  const half = size / 2;
  const parent = (index: number) => (index < half ? size - 1 : index === half ? size - 1 : index - 1);
  const session = await sessionWith(
    ...Array.from({ length: size }, (_, index) => userEntry(`e${index}`, `e${parent(index)}`)),
  );
  expect(walkBranch(session).indices.length).toBe(size);
});

test("walkBranch() walks 150,000 entries whose parents are all missing, and every one is reported", async () => {
  const size = 150_000;
  const entries = Array.from(
    { length: size },
    (_, index) => `{"type":"odd","id":"e${index}","parentId":"gone"}\n`,
  );
  const session = await sessionOf(jsonl(HEADER) + entries.join(""));
  expect(session.problems.length).toBe(size);
  expect(walkBranch(session).indices.length).toBe(size);
});
