import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readSimpleFields } from "./simple-yaml.ts";
import { readYamlFields } from "./yaml-fields.ts";

const excerpt = (text: string) => ({ text, line: 2, column: 1 });

/** Pieces that YAML gives a meaning, and texts that rules have. */
const piece = fc.constantFrom(
  ..."'\"#:-?,[]{}&*!|>%@`~=<\\^$().+ \t\n",
  ...[
    ": ",
    " #",
    "- ",
    "''",
    "a",
    "true",
    "null",
    "0",
    "12",
    "key",
    "\\b",
    "é",
    "\u0085",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\ufeff",
    "😀",
  ],
);
const scalar = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
  fc.constantFrom(
    "'it''s'",
    '"a b"',
    "[a, 'b, c']",
    "[]",
    "[a,]",
    "|",
    "text, tool:write(*.ts)",
    "-1",
    "1.5",
    "0x1",
  ),
);
const line = fc
  .tuple(
    fc.constantFrom("", "", " ", "  ", "    "),
    fc.constantFrom("condition: ", "scope:", "a: ", "b:", "- ", "-", "# ", "no: ", ""),
    scalar,
  )
  .map((parts) => parts.join(""));

const AS_PEOPLE_WRITE = [
  "description: TypeScript without any\ncondition:\n  - ':\\s*any\\b'\n  - '\\bas any\\b'",
  "scope: tool:write, tool:edit\nglobs: ['*.ts', '*.tsx']",
  "examples:\n  match:\n    - 'x: any'\n    - plain text\n  pass: [a, b]\nrepeatGap: 3\nenabled: false",
  "condition:\n- a\n- b\n\n# a comment\nseverity: warning",
];

describe("readSimpleFields()", () => {
  test("reads what it reads as the library does, positions too", () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const simple = readSimpleFields(excerpt(lines.join("\n")));
        if (simple === undefined) return;
        read += 1;
        expect({ ok: true, fields: simple }).toEqual(readYamlFields(excerpt(lines.join("\n"))) as never);
      }),
      { numRuns: 3_000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  test("reads as the library does what is nearly as people write it", () => {
    let read = 0;
    fc.assert(
      fc.property(fc.constantFrom(...AS_PEOPLE_WRITE), fc.nat(200), piece, (text, place, odd) => {
        const at = place % (text.length + 1);
        const changed = excerpt(`${text.slice(0, at)}${odd}${text.slice(at)}`);
        const simple = readSimpleFields(changed);
        if (simple === undefined) return;
        read += 1;
        expect({ ok: true, fields: simple }).toEqual(readYamlFields(changed) as never);
      }),
      { numRuns: 3_000 },
    );
    expect(read).toBeGreaterThan(1_000);
  });

  test("costs what the text is long, also where it has spaces by the hundred thousand", () => {
    const spaces = " ".repeat(500_000);
    const fields = readSimpleFields(excerpt(`a: [b${spaces}c, d${spaces}]\ne: f${spaces}g`));
    expect(fields?.map(({ value }) => value)).toEqual([[`b${spaces}c`, "d"], `f${spaces}g`]);
  });

  test.each(AS_PEOPLE_WRITE.map((text) => [text]))("reads rules as people write them: %j", (text) => {
    const fields = readSimpleFields(excerpt(text));
    expect(fields).toBeDefined();
    expect({ ok: true, fields: fields ?? [] }).toEqual(readYamlFields(excerpt(text)) as never);
  });

  test.each([
    ["globs: **/*.ts"],
    ["description: a: b"],
    ["condition: |\n  a"],
    ["a: 1\na: 2"],
    ["a: yes"],
    ["a: x # y"],
    ["a: 'b' c"],
    ["- a"],
    ["a:\n  b:\n    c: d"],
  ])("leaves %j to the library", (text) => {
    expect(readSimpleFields(excerpt(text))).toBeUndefined();
  });
});
