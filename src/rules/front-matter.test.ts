import { describe, expect, test } from "bun:test";
import { parseFrontMatter } from "./front-matter.ts";

/** Keys and values of a front matter, and its problems as `line: message`. */
async function read(...lines: readonly string[]) {
  const { fields, problems } = await parseFrontMatter(["---", ...lines, "---", "Body."].join("\n"));
  return {
    values: Object.fromEntries(fields.map(({ key, value }) => [key, value])),
    problems: problems.map(({ code, position, fix }) => `${code} ${position.line}:${position.column} ${fix}`),
  };
}

const QUOTE = "put the value in single quotes";

describe("parseFrontMatter()", () => {
  test("reads strict YAML by its own rules", async () => {
    expect(
      await read(
        "condition:",
        "  - 'a: \\b'",
        '  - "tab\\t"',
        "scope: [text, thinking] # both",
        "repeatGap: 3",
      ),
    ).toEqual({
      values: { condition: ["a: \\b", "tab\t"], scope: ["text", "thinking"], repeatGap: 3 },
      problems: [],
    });
  });

  test.each([
    ["globs: **/*.ts", { globs: "**/*.ts" }, QUOTE],
    ["globs: *.ts,*.tsx", { globs: "*.ts,*.tsx" }, QUOTE],
    ["globs: [*.ts, src/*.{a,b}]", { globs: ["*.ts", "src/*.{a,b}"] }, QUOTE],
    ["description: a: b", { description: "a: b" }, QUOTE],
    ["description: use `x`: y # aside", { description: "use `x`: y" }, QUOTE],
    ['condition: "\\s+\\"x"', { condition: '\\s+"x' }, QUOTE],
    ["condition: @ts-ignore", { condition: "@ts-ignore" }, QUOTE],
    ["condition: %s", { condition: "%s" }, QUOTE],
    ['scope: "text","thinking"', { scope: '"text","thinking"' }, "put the values in brackets, as a list"],
  ])("reads %s as it is written, with a warning", async (line, values, fix) => {
    expect(await read(line)).toEqual({ values, problems: [`R012 2:1 ${fix}`] });
  });

  test("reads other keys as YAML when one is not", async () => {
    expect(
      await read(
        "globs: **/*.ts",
        "alwaysApply: true",
        "examples:",
        "  match: [a, b]",
        "condition: |-",
        "  a",
        "  b",
      ),
    ).toEqual({
      values: {
        globs: "**/*.ts",
        alwaysApply: true,
        examples: { match: ["a", "b"] },
        condition: "a\nb",
      },
      problems: [`R012 2:1 ${QUOTE}`],
    });
  });

  test("reads lists and nested keys that are not YAML", async () => {
    expect(
      await read("condition:", "  - [a-z", "  - 'b'", "examples:", "  match:", "    - `x`: y", "  pass: z"),
    ).toEqual({
      values: { condition: ["[a-z", "b"], examples: { match: ["`x`: y"], pass: "z" } },
      problems: [`R012 2:1 ${QUOTE}`, `R012 5:1 ${QUOTE}`],
    });
  });

  test("takes the last of a key that is given twice, and says so", async () => {
    expect(await read("scope: text", "scope: tool")).toEqual({
      values: { scope: "tool" },
      problems: ["R012 3:1 keep one of them"],
    });
  });

  test("leaves out lines that are no key", async () => {
    expect(await read("just words", "scope: text")).toEqual({
      values: { scope: "text" },
      problems: ['R012 2:1 write "key: value"'],
    });
  });

  test("knows where values and the body stand", async () => {
    const { fields, bodyPosition } = await parseFrontMatter("---\na: 1\nb:\n  - x\n  - y\n---\n\n\nBody.\n");
    expect(fields.map(({ key, position, items }) => ({ key, position, items }))).toEqual([
      { key: "a", position: { line: 2, column: 1 }, items: [{ line: 2, column: 4 }] },
      {
        key: "b",
        position: { line: 3, column: 1 },
        items: [
          { line: 4, column: 5 },
          { line: 5, column: 5 },
        ],
      },
    ]);
    expect(bodyPosition).toEqual({ line: 9, column: 1 });
  });

  test.each([
    ["no front matter", "Body.\nMore.", "Body.\nMore."],
    ["an empty one", "---\n---\nBody.", "Body."],
    ["a byte-order mark and CRLF", "\uFEFF---\r\na: 1\r\n---\r\nBody.\r\nMore.\r\n", "Body.\nMore."],
    ["rules of dashes in the body", "---\na: 1\n---\nBody.\n\n---\n\nMore.", "Body.\n\n---\n\nMore."],
    ["nothing", "", ""],
  ])("finds the body of a file with %s", async (_, source, body) => {
    expect((await parseFrontMatter(source)).body).toBe(body);
  });

  test("takes the whole file as the body when the front matter is never closed, and says so", async () => {
    const { fields, body, problems } = await parseFrontMatter("---\na: 1\n\nBody.");
    expect({ fields, body, codes: problems.map(({ code }) => code) }).toEqual({
      fields: [],
      body: "a: 1\n\nBody.",
      codes: ["R012"],
    });
  });
});
