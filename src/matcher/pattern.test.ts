import { describe, expect, test } from "bun:test";
import { PatternError, parsePattern, splitLeadingFlags } from "./pattern.ts";

describe("splitLeadingFlags()", () => {
  test("takes a group of i, m, s and u from the front, and nothing else", () => {
    expect(splitLeadingFlags("(?i)todo")).toEqual({ flags: "i", rest: "todo" });
    expect(splitLeadingFlags("(?ms)^a.b")).toEqual({ flags: "ms", rest: "^a.b" });
    expect(splitLeadingFlags("(?ui)\\p{L}")).toEqual({ flags: "ui", rest: "\\p{L}" });
    for (const source of ["todo", "(?i:a)b", "a(?i)b", "(?x)a"]) {
      expect(splitLeadingFlags(source)).toEqual({ flags: "", rest: source });
    }
  });
});

describe("parsePattern()", () => {
  test("adds leading flags to the given ones, each once, and drops those that change no match", () => {
    const { source, flagText, flags } = parsePattern("(?im)a", "gim");
    expect({ source, flagText }).toEqual({ source: "a", flagText: "im" });
    expect(flags).toEqual({
      ignoreCase: true,
      multiline: true,
      dotAll: false,
      unicode: false,
      unicodeSets: false,
    });
  });

  test("says what is wrong, and where in the source as it was written", () => {
    expect(() => parsePattern("(?i)a)")).toThrow(new PatternError("Unmatched ')'", 5));
    expect(() => parsePattern("a{2,1}")).toThrow(PatternError);
    expect(() => parsePattern("\\p{Nonsense}", "u")).toThrow(PatternError);
  });
});
