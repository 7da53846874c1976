import { expect, test } from "bun:test";
import { CLAUDE_FORMS } from "./claude-injected.ts";
import { CODEX_FORMS } from "./codex-content.ts";
import { splitInjected } from "./injected-text.ts";

test("splitInjected() takes known elements off the beginning and leaves what the person typed", () => {
  expect(
    splitInjected("<system-reminder>\nA\n</system-reminder>\n\n  Fix <b>it</b>.\n", CLAUDE_FORMS),
  ).toEqual({
    injected: [{ kind: "system-reminder", text: "<system-reminder>\nA\n</system-reminder>", display: false }],
    rest: "Fix <b>it</b>.",
  });
});

test("splitInjected() leaves unknown elements, and known ones in the middle, to the person", () => {
  for (const text of ["<div>hello</div>", "Why does <system-reminder> appear?", " spaced ", ""]) {
    expect(splitInjected(text, CLAUDE_FORMS)).toEqual({ injected: [], rest: text });
  }
});

test("splitInjected() takes an element without its end tag to the end", () => {
  expect(splitInjected("<environment_context>\n<cwd>/srv", CODEX_FORMS).rest).toBe("");
});

test("splitInjected() frees a request from what an editor put before it", () => {
  const text =
    "# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nFix it.\nPlease.";
  expect(splitInjected(text, CODEX_FORMS)).toEqual({
    injected: [{ kind: "ide_context", text: text.slice(0, text.indexOf("\nFix")), display: false }],
    rest: "Fix it.\nPlease.",
  });
});

test("splitInjected() joins neighbours of one kind", () => {
  const text = "<command-name>/clear</command-name>\n<command-message>clear</command-message>";
  expect(splitInjected(text, CLAUDE_FORMS).injected).toEqual([{ kind: "command", text, display: true }]);
});
