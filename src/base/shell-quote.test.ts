import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { shellQuote, shellWord } from "./shell-quote.ts";

/** The words that bash reads in a text. */
function wordsOf(text: string): readonly string[] {
  const { stdout } = spawnSync("bash", ["-c", `printf '%s\\0' ${text}`]);
  return stdout.toString().split("\0").slice(0, -1);
}

test("shellQuote() and shellWord() make any texts one literal word each for bash", () => {
  const special = ["", "it's", "$HOME", "`x`", "*", "~", "-n", "a\nb", "!", "a=b,c:d@1%+./-"];
  for (const write of [shellQuote, shellWord]) {
    expect(wordsOf(special.map(write).join(" "))).toEqual(special);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        fc.pre(!text.includes("\0"));
        expect(wordsOf(write(text))).toEqual([text]);
      }),
      { numRuns: 50 },
    );
  }
});

test("shellWord() leaves what needs no quotes bare", () => {
  expect(["src/a.ts", "two words", "it's"].map(shellWord)).toEqual(["src/a.ts", "'two words'", `'it'\\''s'`]);
});
