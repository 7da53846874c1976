import { expect, test } from "bun:test";
import { sentencesOf } from "./sentences.ts";

test("sentencesOf() passes over pasted output, also where a frame moved it in and lines were wrapped", () => {
  const text =
    "it looks like this:\n    + 16 - **Themes**: no longer crash the\n          program, only warn.\nfix it.";
  expect(sentencesOf(text, 10)).toEqual(["it looks like this:", "fix it."]);
});

test("sentencesOf() passes over what a terminal wrapped at its width", () => {
  const wide = (line: string) => line.padEnd(80);
  const text = [
    wide("+ 15 - **Newlines**: text now stops at the"),
    wide("first line and only displays it."),
    "why?",
  ];
  expect(sentencesOf(text.join("\n"), 10)).toEqual(["why?"]);
});
