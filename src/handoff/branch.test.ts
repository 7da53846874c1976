import { expect, test } from "bun:test";
import { sessionWith, userEntry } from "../testing/session-text.ts";
import { messagesOnBranch } from "./branch.ts";

const DEEP = `${"[".repeat(1_500)}${"]".repeat(1_500)}`;

/** A line that is indexed by its beginning, and turns out to be too deep when it is decoded. */
function deepEntry(id: string, parentId: string) {
  return { ...userEntry(id, parentId), message: JSON.parse(DEEP) };
}

test("messagesOnBranch() counts messages that can be read, to two", async () => {
  const count = async (...entries: readonly object[]) => messagesOnBranch(await sessionWith(...entries));
  expect(await count(userEntry("a", null))).toBe(1);
  expect(await count(userEntry("a", null), userEntry("dead", "a"), userEntry("b", null))).toBe(1);
  expect(await count(userEntry("a", null), userEntry("b", "a"), userEntry("c", "b"))).toBe(2);
  expect(await count(userEntry("a", null), deepEntry("b", "a"), deepEntry("c", "b"))).toBe(1);
  expect(await count(userEntry("a", null), { ...userEntry("b", "a"), message: { role: "user" } })).toBe(1);
});
