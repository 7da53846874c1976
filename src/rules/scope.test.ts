import { describe, expect, test } from "bun:test";
import { parseScope, renderScope, scopeWords } from "./scope.ts";

describe("parseScope()", () => {
  test.each([
    ["text", { kind: "text" }],
    ["thinking", { kind: "thinking" }],
    ["tool", { kind: "tool" }],
    ["tool:write", { kind: "tool", tool: "write" }],
    ["tool:mcp__files/write-all", { kind: "tool", tool: "mcp__files/write-all" }],
    ["tool:write(src/**/*.{ts,tsx})", { kind: "tool", tool: "write", glob: "src/**/*.{ts,tsx}" }],
    ["tool(*.md)", { kind: "tool", glob: "*.md" }],
    ["tool(a(b).md)", { kind: "tool", glob: "a(b).md" }],
  ] as const)("%s, and renderScope() writes it again", (word, scope) => {
    expect(parseScope(word)).toEqual(scope);
    expect(renderScope(scope)).toBe(word);
  });

  test.each(["", "texts", "tool:", "tool:write()", "tool:a b", "text(a)", "tool:write(a"])(
    "%p is none",
    (word) => {
      expect(parseScope(word)).toBeUndefined();
    },
  );
});

describe("scopeWords()", () => {
  test.each([
    ["text, tool:write(*.{ts,tsx})", ["text", "tool:write(*.{ts,tsx})"]],
    ["tool:write(a/**, b/**), text", ["tool:write(a/**, b/**)", "text"]],
    ['"text","thinking"', ["text", "thinking"]],
    ["'text, tool'", ["text", "tool"]],
  ])("of %j are %j", (value, words) => {
    expect(scopeWords(value)).toEqual(words);
  });
});
