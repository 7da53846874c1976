import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { toolPlace } from "../testing/tool-place.ts";
import { replaceOnce } from "./replace.ts";

const GRANT = { grants: { write: true } } as const;

async function edited(content: string | Uint8Array, oldText: string, newText: string) {
  using place = await toolPlace(GRANT);
  place.write("f", content);
  const text = await place.text("edit", { path: "f", oldText, newText });
  return { text, content: readFileSync(join(place.cwd, "f"), "utf8") };
}

test("edit replaces the one occurrence and nothing else", async () => {
  expect(await edited("a\nb\nc\n", "b\n", "B\nB2\n")).toEqual({
    text: "Edited f at line 2",
    content: "a\nB\nB2\nc\n",
  });
});

test("edit takes newText as it is, `$&` too", async () => {
  expect((await edited("x = 1\n", "1", "$& $1 $$")).content).toBe("x = $& $1 $$\n");
});

test("edit keeps CRLF and the byte-order mark", async () => {
  expect((await edited("\ufeffa\r\nb\r\nc\r\n", "a\nb\n", "a\nB\nB2\n")).content).toBe(
    "\ufeffa\r\nB\r\nB2\r\nc\r\n",
  );
});

test("edit keeps mixed line endings outside the passage", async () => {
  expect((await edited("a\r\nb\nc\r\nd\n", "c\n", "C\n")).content).toBe("a\r\nb\nC\r\nd\n");
});

test("edit keeps a file without a final newline so", async () => {
  expect((await edited("a\nb", "b", "c")).content).toBe("a\nc");
});

test("edit names the lines when the passage is not unique", async () => {
  expect((await edited("x\ny\nx\n", "x", "z")).text).toBe(
    "Cannot edit f: oldText occurs 2 times (lines 1, 3); take in more of the text around the one you mean",
  );
});

test("edit counts overlapping occurrences", async () => {
  expect((await edited("aaa", "aa", "b")).text).toContain("occurs 2 times (line 1);");
});

test("edit answers a failed match with the nearest lines", async () => {
  const { text, content } = await edited(
    "function one() {\n    return 1;\n}\nfunction two() {\n    return 2;\n}\n",
    "function two() {\n  return 2;\n}",
    "x",
  );
  expect(text).toBe(
    "Cannot edit f: oldText is not in the file. Nearest is lines 4-6; only white space differs:\nfunction two() {\n    return 2;\n}",
  );
  expect(content).toStartWith("function one");
});

test("edit names a line that is nearly right", async () => {
  expect(
    (await edited("alpha\nconst total = sum(items);\nomega\n", "const total = sum(item);", "x")).text,
  ).toBe("Cannot edit f: oldText is not in the file. Nearest is line 2:\nconst total = sum(items);");
});

test("edit shows of a long line that is nearly right no more than is needed", async () => {
  const line = `const table = [${"1, ".repeat(100_000)}];`;
  expect((await edited(`${line}\n`, `const tables = [${"1, ".repeat(100)}`, "x")).text).toBe(
    `Cannot edit f: oldText is not in the file. Nearest is line 1:\n${line.slice(0, 500)}… (more than 100000 characters)`,
  );
});

test("edit says so when nothing is alike", async () => {
  expect((await edited("alpha\n", "zzzzzzzzzz qqqqqqq", "x")).text).toBe(
    "Cannot edit f: oldText is not in the file, and nothing like it",
  );
});

test("edit refuses files that it would damage", async () => {
  expect((await edited(new Uint8Array([0x61, 0xff, 0x62]), "a", "b")).text).toBe(
    "Cannot edit f: it is not UTF-8 text",
  );
  expect((await edited("a\0b", "a", "b")).text).toBe("Cannot edit f: it is a binary file");
});

test("edit refuses an empty or unchanged passage", async () => {
  expect((await edited("a", "", "b")).text).toBe(
    'Cannot call edit: "oldText" must NOT have fewer than 1 characters',
  );
  expect((await edited("a", "a", "a")).text).toBe("Cannot edit f: oldText and newText are the same");
});

test("edit needs both permissions", async () => {
  using place = await toolPlace({ grants: { write: ["../outside"], read: true } });
  const result = await place.call("edit", { path: "../outside/x", oldText: "a", newText: "b" });
  const target = join(place.outside, "x");
  expect(result.denied).toEqual({
    permission: "read",
    target,
    reason: "it is outside what may be read",
    hint: `--allow-read=${target}`,
  });
});

test("replaceOnce() changes only the passage, whatever the line endings", () => {
  const ending = fc.constantFrom("\n", "\r\n");
  const part = fc.array(fc.tuple(fc.stringMatching(/^[ab ]{0,4}$/), ending), { maxLength: 6 });
  fc.assert(
    fc.property(part, part, ending, ending, (before, after, first, second) => {
      const join2 = (lines: readonly (readonly [string, string])[]) =>
        lines.map(([text, end]) => text + end).join("");
      const text = `${join2(before)}MARK${first}END${second}${join2(after)}`;
      const replaced = replaceOnce(text, "MARK\nEND", "one\ntwo");
      expect(replaced).toMatchObject({
        ok: true,
        text: `${join2(before)}one${first}two${second}${join2(after)}`,
        line: before.length + 1,
      });
    }),
  );
});
