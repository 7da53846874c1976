import { expect, test } from "bun:test";
import fc from "fast-check";
import { classifyCharacters } from "./char-classes.ts";
import { RunningCounters } from "./counters.ts";
import { addPattern } from "./nfa-build.ts";
import { createDraft, finishDraft } from "./nfa-draft.ts";
import { parsePattern } from "./pattern.ts";

/** Counters of one pattern, `x{min,max}y`, and the classes of its characters. */
function countersOf(min: number, max: number) {
  const draft = createDraft(false);
  addPattern(draft, { rule: 0, pattern: parsePattern(`x{${min},${max}}y`), maxWays: 1000, maxNodes: 1000 });
  const nfa = finishDraft(draft);
  const classes = classifyCharacters(nfa);
  const classOf = (char: string) => classes.ofPoint(char.codePointAt(0) ?? 0);
  return {
    counters: new RunningCounters(nfa, classes),
    x: classOf("x"),
    y: classOf("y"),
    other: classOf("-"),
  };
}

test("RunningCounters lets a thread leave exactly when it has counted from min to max", () => {
  const sizes = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.nat(4))
    .map(([min, more]) => [min, 16 + min + more]);
  const events = fc.array(fc.constantFrom("enter", "read", "read", "read", "break"), { maxLength: 80 });
  fc.assert(
    fc.property(sizes, events, ([min = 1, max = 16], list) => {
      const { counters, x, y, other } = countersOf(min, max);
      let counts: number[] = [];
      for (const event of list) {
        if (event === "enter") {
          counters.enter(0, 0);
          counts.push(0);
        } else {
          counters.advance(event === "read" ? x : other);
          counts = event === "read" ? counts.map((count) => count + 1).filter((count) => count <= max) : [];
          const open = counts.some((count) => count >= min);
          expect(counters.openBefore(y)).toEqual(open ? [0] : []);
          expect(counters.openBefore(x)).toEqual([]);
          expect(counters.anyActive).toBe(counts.length > 0);
        }
      }
    }),
  );
});

test("RunningCounters keeps where the oldest match began, range by range", () => {
  const { counters, x } = countersOf(20, 20);
  counters.enter(0, 7);
  counters.advance(x);
  counters.advance(x);
  counters.enter(0, 9);
  expect(counters.oldestBegin(new Uint8Array(1))).toBe(7);
  for (let k = 0; k < 19; k++) counters.advance(x);
  expect(counters.oldestBegin(new Uint8Array(1))).toBe(9);
  expect(counters.oldestBegin(Uint8Array.of(1))).toBe(Infinity);
});
