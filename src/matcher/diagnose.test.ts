import { describe, expect, test } from "bun:test";
import { diagnosePattern } from "./diagnose.ts";

describe("diagnosePattern()", () => {
  test("says where a pattern is not one, counting a leading group of flags", () => {
    expect(diagnosePattern("a(b")).toEqual({ kind: "invalid", message: "Unterminated group", index: 3 });
    expect(diagnosePattern("(?i)a(b")).toEqual({ kind: "invalid", message: "Unterminated group", index: 7 });
  });

  test("refuses what matches several characters as one, flags that do not go together, and absurd nesting", () => {
    const refused = (message: string) => ({ kind: "refused", message }) as const;
    expect(diagnosePattern("[\\q{ab}]", "v")).toEqual(
      refused("[\\q{ab}] can match several characters at once"),
    );
    expect(diagnosePattern("\\p{RGI_Emoji}", "v")).toEqual(
      refused("\\p{RGI_Emoji} can match several characters at once"),
    );
    expect(diagnosePattern("a", "uv")).toEqual(refused("the flags u and v exclude each other"));
    expect(diagnosePattern("a", "q")).toEqual(refused('the flag "q" is not known'));
    const deep = `${"(".repeat(10_000)}a${")".repeat(10_000)}`;
    expect(diagnosePattern(deep)).toEqual(refused("its groups are nested more than 250 deep"));
  });

  test("says whether a pattern matches before any text", () => {
    const empty = (source: string) => {
      const diagnosis = diagnosePattern(source);
      return diagnosis.kind === "usable" && diagnosis.matchesEmpty;
    };
    expect(["a*", "a|", "^", "(?!a)|b", "$", "\\b", "a"].map(empty)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test("says why a pattern is slow", () => {
    const slow = (source: string, maxNodes = 1000) => {
      const diagnosis = diagnosePattern(source, "", { maxNodes });
      return diagnosis.kind === "usable" ? diagnosis.slow : diagnosis.message;
    };
    expect(slow("a+b")).toBeUndefined();
    expect(slow("(a)\\1")).toBe("it has a backreference");
    expect(slow("(?<=a(?=b))")).toBe("it has a lookahead inside a lookbehind");
    expect(slow("(?:ab){1000}")).toBe("its automaton would need more than 1000 nodes");
    expect(slow("a{900}")).toBeUndefined();
  });

  test("tells the size of an automaton, in which a counted character takes little", () => {
    const size = (source: string) => {
      const diagnosis = diagnosePattern(source);
      return diagnosis.kind === "usable" ? diagnosis.size : -1;
    };
    expect(size("abc")).toBe(4);
    expect(size("a{0,80}b")).toBeLessThan(10);
    expect(size("(?:ab){80}")).toBe(161);
  });
});
