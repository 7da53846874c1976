import { describe, expect, test } from "bun:test";
import { CASES } from "./fuzz/cases.ts";
import { checkCase } from "./fuzz/check-case.ts";

for (const [topic, cases] of Object.entries(CASES)) {
  describe(`StreamMatcher fires where it must: ${topic}`, () => {
    for (const row of cases) {
      const [pattern, flags, text] = row;
      test(`/${pattern}/${flags} on ${JSON.stringify(text).slice(0, 60)}`, () => {
        expect(checkCase(row)).toBeUndefined();
      });
    }
  });
}
