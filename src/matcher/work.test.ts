// No pattern may take more steps than allowed, for one character or for all of a text: it is given up first.

import { describe, expect, test } from "bun:test";
import { classifyCharacters } from "./char-classes.ts";
import { diagnosePattern } from "./diagnose.ts";
import { Machine } from "./machine.ts";
import { StreamMatcher } from "./matcher.ts";
import { addPattern } from "./nfa-build.ts";
import { createDraft, finishDraft } from "./nfa-draft.ts";
import { limitsOf } from "./options.ts";
import { overPoints, parsePattern } from "./pattern.ts";

const words = Array.from({ length: 1000 }, (_, k) => `w${(k * 7919) % 10_007}e`).join("|");

/** A name, the pattern, what its text repeats, flags: each takes work that grows with its size at every character. */
const HOSTILE: readonly (readonly [string, string, string, string?])[] = [
  ["optional in a row", "(?:a?){5000}a{5000}", "a"],
  ["optional nested", "(?:(?:a?){50}){50}b", "a"],
  ["overlapping alternatives", "(?:a|b|ab){300}c", "abaababbab"],
  ["counters within counters", "(?:x{0,300}){0,300}y", "x"],
  ["short counters within counters", "(?:x{0,20}){0,300}y", "x"],
  ["a thousand words repeated", `(?:${words})+x`, "w0123456789e"],
  ["nested optional groups", `${"(?:a(?:b(?:c(?:d)?)?)?)?".repeat(300)}z`, "abcd"],
  ["repetitions in a lookahead", "a(?=(?:[ab]{0,40}){0,40}c)", "abaababbab"],
  ["a lookahead of optional parts, repeated", "(?:(?=(?:a?){300}b)a|a)*c", "a"],
  [
    "overlapping lookaheads, repeated",
    "(?:a(?=[ab]{10}a)|b(?=[ab]{7}a)|[ab](?![ab]{5}b))*c",
    "abaabbbabaaabab",
  ],
  [
    "lookaheads that pile up",
    "(?:(?=[^]a)|(?=[^]{2}a)|(?=[^]{3}a)|(?=[^]{4}a)|(?=[^]{5}a)|(?=[^]{6}a)|(?=[^]{7}a)|[^])*z",
    "ab",
  ],
  ["properties and counters", "(?:\\p{L}{0,60}\\p{Lu}?){0,60}\\d", "aBéÉ", "u"],
  ["guards that may be left out", "(?:\\b|a|$|\\B){300}b", "a "],
  ["guards before optional parts", "(?:\\ba?){3000}b", "a "],
  ["a long lookbehind", "(?<=(?:a|b|ab){2000}d)c", "abaababbab"],
  ["counters in groups", "(?:[ab]{16,40}c?){100}d", "abcab"],
  [
    "many counters repeated",
    `(?:${Array.from({ length: 300 }, (_, k) => `[ab]{${20 + k}}`).join("|")})+c`,
    "ab",
  ],
  [
    "many counters before a guard",
    Array.from({ length: 500 }, (_, k) => `[ab]{20,${25 + k}}\\bc`).join("|"),
    "ab ",
  ],
];

const LIMITS = { maxSteps: 5_000, maxStepsPerUnit: 100 };
const LENGTH = 2_000;
/** What a character takes once rules have been given up at it, and what must not be broken off. */
const OVERRUN = 20;

describe("Machine", () => {
  test.each(HOSTILE)("takes no more steps than allowed for %s", (_, source, piece, flags = "") => {
    const limits = limitsOf(LIMITS);
    const pattern = parsePattern(source, flags);
    const draft = createDraft(overPoints(pattern.flags));
    addPattern(draft, { rule: 0, pattern, maxNodes: Infinity, maxWays: Infinity });
    const nfa = finishDraft(draft);
    const classes = classifyCharacters(nfa);
    const listener = { fired: new Uint8Array(1), onMatch: () => {}, onOverLimit: () => {} };
    const machine = new Machine({ nfa, classes, limits, rules: new Uint8Array([1]) }, listener);
    machine.keepBegins(true);
    machine.restart();
    let worst = 0;
    const text = piece.repeat(LENGTH / piece.length);
    for (let k = 0; k < text.length; k++) {
      const before = machine.stepsTaken;
      machine.step(classes.ofUnit[text.charCodeAt(k)] ?? 0, k, k + 1);
      worst = Math.max(worst, machine.stepsTaken - before);
    }
    expect(worst).toBeLessThan(OVERRUN * LIMITS.maxSteps);
    expect(machine.stepsTaken).toBeLessThan(
      (20 + OVERRUN) * LIMITS.maxSteps + LIMITS.maxStepsPerUnit * LENGTH,
    );
  });
});

describe("StreamMatcher", () => {
  test("gives up a rule that needs too many steps, and decides the others", () => {
    const rules = [
      { id: "heavy", patterns: ["(?:a|b|ab){300}c"] },
      { id: "light", patterns: ["ab+a!"] },
    ];
    const matcher = new StreamMatcher(rules, LIMITS);
    const fires = matcher.push("abaababbab".repeat(200));
    expect(fires).toEqual([]);
    expect(matcher.push("aba!")).toEqual([{ id: "light", at: 2004, atEnd: false }]);
    expect(matcher.gaveUp.map(({ id }) => id)).toEqual(["heavy"]);
  });

  test("decides a rule that needs too many steps by the backtracking engine, if that can", () => {
    for (const options of [{}, { maxSteps: 0 }, { maxSteps: 20, maxStepsPerUnit: 1 }]) {
      const matcher = new StreamMatcher([{ id: "rule", patterns: ["(?:a(?!c)|[ab])*d"] }], options);
      expect([...matcher.push("abab abcab abd"), ...matcher.end()].map(({ at }) => at)).toEqual([14]);
      expect(matcher.gaveUp).toEqual([]);
    }
  });
});

describe("diagnosePattern()", () => {
  test("says that what is optional may be left out in too many ways", () => {
    const slow = (source: string) => {
      const diagnosis = diagnosePattern(source, "", { maxWays: 10_000 });
      return diagnosis.kind === "usable" ? diagnosis.slow : diagnosis.message;
    };
    const tooMany = "what is optional in it can be left out in more than 10000 ways";
    expect(slow("(?:a?){200}b")).toBe(tooMany);
    expect(slow("(?:(?:a?){20}){20}b")).toBe(tooMany);
    expect(slow("(?<=(?:a?){200}b)c")).toBe(tooMany);
    expect(slow("(?:a?){50}b")).toBeUndefined();
    expect(slow(`(?:${words})+x`)).toBeUndefined();
    expect(slow("(?:ab){5000}")).toBeUndefined();
  });
});
