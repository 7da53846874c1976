import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSystemPrompt } from "./system-prompt.ts";

const GOLDEN = join(import.meta.dir, "../../fixtures/prompts/system.txt");
const BARE = {
  cwd: "/project",
  platform: "linux",
  date: "2026-01-31",
  contextFiles: [],
  alwaysRules: [],
  rulebook: [],
} as const;

test("buildSystemPrompt() gives the golden text for everything at once", () => {
  const prompt = buildSystemPrompt({
    ...BARE,
    contextFiles: [
      { displayPath: "~/.config/agent/AGENTS.md", text: "Be brief.\n" },
      { displayPath: 'odd"<name>/AGENTS.md', text: "Use tabs." },
    ],
    alwaysRules: [
      { name: "style", displayPath: ".agent/rules/style.md", description: undefined, body: "\nTabs.\n" },
    ],
    rulebook: [
      { name: "sql", displayPath: ".agent/rules/sql.md", description: "when writing\nSQL", body: "No." },
    ],
    schema: { type: "object" },
    append: "The end.",
  });
  expect(`${prompt}\n`).toBe(readFileSync(GOLDEN, "utf8"));
});

test("buildSystemPrompt() is short and has no empty parts for a bare run", () => {
  const prompt = buildSystemPrompt(BARE);
  expect(prompt.length).toBeLessThan(1_500);
  expect(prompt).not.toContain("\n\n\n");
  expect(prompt).not.toContain("{{");
});

test("buildSystemPrompt() takes a text of the user's own as it is", () => {
  expect(buildSystemPrompt({ ...BARE, system: "Own {{cwd}}." })).toBe("Own {{cwd}}.");
});
