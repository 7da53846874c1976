import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { shellQuote, shellWord } from "./shell-quote.ts";

test("shellQuote() and shellWord() give one word that the shell reads as the text", () => {
  const texts = ["", "plain", "a b", "it's", "$HOME", "`x`", "*", "~", "-n", "a\nb", "ü", "a=b,c:d@1%+./-"];
  for (const write of [shellQuote, shellWord]) {
    const { stdout } = spawnSync("sh", ["-c", `printf '%s\\0' ${texts.map(write).join(" ")}`]);
    expect(stdout.toString().split("\0").slice(0, -1)).toEqual(texts);
  }
});

test("shellWord() leaves what needs no quotes bare", () => {
  expect(["src/a.ts", "two words", "it's"].map(shellWord)).toEqual(["src/a.ts", "'two words'", `'it'\\''s'`]);
});
