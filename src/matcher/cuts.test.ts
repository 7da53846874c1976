// What is given up depends on the text alone too: many rules that are half matched at once, at the limits as they are.

import { expect, test } from "bun:test";
import { StreamMatcher, type StreamPattern } from "./matcher.ts";

/** What came of a text in chunks of this size, by a matcher that has read nothing before. */
function outcome(rules: readonly StreamPattern[], text: string, size: number) {
  const matcher = new StreamMatcher(rules);
  const fires = [...matcher.push("")];
  for (let from = 0; from < text.length; from += size)
    fires.push(...matcher.push(text.slice(from, from + size)));
  fires.push(...matcher.end());
  return { fires, gaveUp: matcher.gaveUp };
}

test("StreamMatcher gives up the same rules at the same offsets in any cut", () => {
  const numbers = Array.from({ length: 400 }, (_, k) => k);
  const text = [...numbers.map((k) => `w${k}k`), ...numbers.map((k) => `z${k}k`)].join(" ");
  for (const form of [
    (k: number) => `\\bw${k}k\\b.*\\bz${k}k\\b`,
    (k: number) => `(?<=\\bw${k}k\\b.*)\\bz${k}k\\b`,
  ]) {
    const rules = numbers.map((k) => ({ id: `rule ${k}`, patterns: [form(k)] }));
    const whole = outcome(rules, text, text.length);
    expect(whole.fires.length + whole.gaveUp.length).toBe(rules.length);
    for (const size of [8, 1000]) expect(outcome(rules, text, size)).toEqual(whole);
  }
}, 60_000);
