// The examples of docs/session-format.md are one session: they must read as the page says, and show every type.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chunksOf } from "../testing/session-text.ts";
import { checkSession } from "./check.ts";
import { encodeEntry } from "./codec.ts";
import { buildSessionContext } from "./context.ts";
import { readSession } from "./open.ts";
import { problemCodes } from "./problems.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../docs/session-format.md"), "utf8");
const EXAMPLES = [...PAGE.matchAll(/^```jsonl\n(.*?)^```$/gms)].map(([, lines]) => lines).join("");

test("the examples of the session format are a session without a problem", async () => {
  expect(await checkSession(chunksOf(EXAMPLES), "the page")).toMatchObject({
    ok: true,
    format: "pi-v3",
    problems: [],
  });
});

test("the examples of the session format show every type, and are what we write", async () => {
  const session = await readSession(chunksOf(EXAMPLES));
  const entries = [...session.entries()];
  expect(new Set(entries.map(({ type }) => type))).toEqual(
    new Set([
      "message",
      "custom_message",
      "ttsr_injection",
      "custom",
      "model_change",
      "thinking_level_change",
      "compaction",
      "branch_summary",
      "label",
      "session_info",
      "unknown",
    ]),
  );
  const lines = EXAMPLES.trimEnd().split("\n").slice(1);
  expect(entries.map((entry) => JSON.parse(encodeEntry(entry)))).toEqual(
    lines.map((line) => JSON.parse(line)),
  );
  expect(buildSessionContext(session)).toMatchObject({
    entryIds: ["3a1f0c0b", "3a1f0c04", "3a1f0c06", "3a1f0c0c"],
    model: { provider: "ollama", modelId: "qwen3:32b" },
    thinkingLevel: "high",
    injectedTtsrRules: [{ name: "no-any", age: 0 }],
  });
});

test("the page on the session format names every problem code", () => {
  const named = new Set([...PAGE.matchAll(/`([a-z0-9]+(?:-[a-z0-9]+)+|cycle)`/g)].map(([, code]) => code));
  expect(problemCodes().filter((code) => !named.has(code))).toEqual([]);
});
