import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ruleOf, ttsrRules } from "../testing/rules.ts";
import { createFilter, type OnMatch } from "./filter.ts";

const RULES = ttsrRules(
  ["ab+c", "b\\b", "(a|b)c\\1", "(?<=a)cc", "ca(?=b)", "\\bcaa", "bb$"].map((condition, index) =>
    ruleOf(`r${index}`, `condition: '${condition}'`),
  ),
);

/** Everything that a filter lets out of a text in these pieces, and the names and places of what fired. */
function filtered(rules: typeof RULES, onMatch: OnMatch, pieces: readonly string[]) {
  const filter = createFilter({ rules, onMatch, maxHold: 1_000_000 });
  const steps = [];
  for (const piece of pieces) {
    const step = filter.push(piece);
    steps.push(step);
    if (step.end !== undefined) break;
  }
  if (steps.at(-1)?.end === undefined) steps.push(filter.end());
  return {
    text: steps.map(({ write }) => write).join(""),
    reports: steps.flatMap(({ reports }) =>
      reports.map(({ rule, position }) => `${rule.name} ${position.line}:${position.column}`),
    ),
    end: steps.at(-1)?.end,
  };
}

const anyText = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "\n", "😀"), maxLength: 60 });
const anyRules = fc.subarray([...RULES], { minLength: 1 });

/** A text and the pieces that it is cut into. */
const anyPieces = anyText.chain((text) =>
  fc.array(fc.nat(text.length)).map((places) => {
    const sorted = [0, ...places, text.length].sort((a, b) => a - b);
    return { text, pieces: sorted.slice(1).map((end, index) => text.slice(sorted[index], end)) };
  }),
);

describe("createFilter() over any text", () => {
  test.each(["stop", "redact"] as const)("with %s lets out the same however the text is cut", (onMatch) => {
    fc.assert(
      fc.property(anyRules, anyPieces, (rules, { text, pieces }) => {
        const whole = filtered(rules, onMatch, [text]);
        expect(filtered(rules, onMatch, pieces)).toEqual(whole);
        expect(filtered(rules, onMatch, text.split(""))).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  test("with stop lets out a beginning of the text: all of it, or up to the first match", () => {
    fc.assert(
      fc.property(anyRules, anyPieces, (rules, { text, pieces }) => {
        const { text: out, end } = filtered(rules, "stop", pieces);
        expect(text.startsWith(out)).toBe(true);
        const matches = rules.some(({ conditions }) =>
          conditions.some((source) => new RegExp(source).test(text)),
        );
        expect(end === "stopped").toBe(matches);
        if (!matches) expect(out).toBe(text);
      }),
    );
  });

  test("with redact leaves no match of a rule that looks neither ahead nor behind", () => {
    const rules = RULES.slice(0, 1);
    fc.assert(
      fc.property(anyPieces, ({ text, pieces }) => {
        const { text: out } = filtered(rules, "redact", pieces);
        expect(out.replaceAll("[rule:r0]", "|")).not.toMatch(/ab+c/);
        expect(out.replaceAll("[rule:r0]", "").length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test("writes at once what no rule can claim", () => {
    const filter = createFilter({ rules: RULES.slice(0, 1), onMatch: "stop", maxHold: 1_000 });
    const out = ["xy", " a", "b", "b", "x", "a", "a"].map((piece) => filter.push(piece).write);
    expect(out).toEqual(["xy", " ", "", "", "abbx", "", "a"]);
  });
});
