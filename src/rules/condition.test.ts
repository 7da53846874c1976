import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { diagnosePattern } from "../matcher/diagnose.ts";
import { conditionDoubts, conditionFault, isPlainlyUsable, looksLikeGlob } from "./condition.ts";

describe("conditionFault()", () => {
  test.each([
    ["x+", undefined],
    ["(?i)foo$", undefined],
    ["(a", "R001"],
    ["*.ts", "R001"],
    ["a*", "R002"],
  ])("of %s is %p", (condition, code) => {
    expect<string | undefined>(conditionFault(condition)?.code).toBe(code);
  });
});

describe("conditionDoubts()", () => {
  test.each([
    ["x+", []],
    ["(a)\\1", ["R004"]],
    ["$", ["R015"]],
    ["(?!x)", ["R015"]],
    ["foo\\Z", ["R017"]],
    ["[[:alpha:]]x", ["R017"]],
    ["\\hx$", ["R017"]],
    ["\\Z*", []],
    ["(a", []],
  ])("of %s are %p", (condition, codes) => {
    expect<readonly string[]>(conditionDoubts(condition).map(({ code }) => code)).toEqual(codes);
  });
});

test.each([
  ["(?P<n>x)", "in place of (?P<n>…) write (?<n>…)"],
  ["(?u)\\h", "in place of \\h write [ \\t]"],
  ["\\Z(?>a)b++", "in place of (?>…) write (?:…); in place of ++ write + alone: time is linear without it"],
  ["(a", "mend the regular expression"],
])("conditionFault() of %s tells the way out", (condition, fix) => {
  expect(conditionFault(condition)?.fix).toBe(fix);
});

describe("looksLikeGlob()", () => {
  test.each([
    ["*.ts", true],
    ["**/*.tsx", true],
    ["**/*.{ts,tsx}", true],
    ["*.{js,ts}", true],
    ["*foo", false],
    ["(a", false],
    ["**", false],
  ])("%s: %p", (text, expected) => {
    expect(looksLikeGlob(text)).toBe(expected);
  });
});

describe("isPlainlyUsable()", () => {
  test("says yes only where the matcher takes the pattern, fast, and not before any text", () => {
    const pieces = fc.constantFrom(
      ..."ab().*+?|[]^$-{}\\",
      ...[
        "(?:",
        "(?=",
        "(?!",
        "(?<=",
        "\\b",
        "\\1",
        "\\w",
        "\\u0041",
        "{2}",
        "{3,}",
        "{1,40}",
        "{,2}",
        "[^a]",
        "(?i)",
        "(?u)",
        "\\p{L}",
      ],
    );
    let usable = 0;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const condition = parts.join("");
        if (!isPlainlyUsable(condition)) return;
        usable += 1;
        expect({ condition, ...diagnosePattern(condition) }).toMatchObject({
          condition,
          kind: "usable",
          matchesEmpty: false,
        });
        expect(diagnosePattern(condition)).not.toHaveProperty("slow");
      }),
      { numRuns: 2_000 },
    );
    expect(usable).toBeGreaterThan(50);
  });

  test.each([
    [":\\s*any\\b", true],
    ["(?i)\\b(?:todo|fixme)\\b", true],
    ["[A-Z0-9]{16,40}", true],
    ["(a{9}){9}", false],
    ["(?:a|b){3,8}c", true],
    // The native engine would take days to find that these do not match an empty text.
    ["(?:a?|b?){40}\\b", false],
    ["(?:a?|b?){2,40}\\b", false],
    [`${"(?:a?|b?)".repeat(30)}\\b`, false],
    ["a*", false],
    ["(a)\\1", false],
    ["a(?!b)", false],
    ["(a", false],
  ])("%s: %p", (condition, expected) => {
    expect(isPlainlyUsable(condition)).toBe(expected);
  });
});
