import { expect, test } from "bun:test";
import { readSession } from "../../session/open.ts";
import { getBranch } from "../../session/tree.ts";
import { collectFacts, collectSession } from "./collect.ts";

const RUNS: readonly (readonly [string, string, boolean])[] = [
  ["bun test", "2 pass\n1 fail", false],
  ["bun test  | tail -3", "1 pass\n2 fail", false],
  ["bun test", "error: none found", true],
  ["make  all", "made", false],
  ["make all", "made again", false],
  ["bun test", "3 pass\n0 fail", false],
  ["bun run build", "Exit code: 2", false],
  ["git commit -m a", "[main 1a2b3c4] a", false],
  ["bun run build", "built", false],
];

async function* fileOf(): AsyncGenerator<Uint8Array> {
  const at = "2026-01-01T00:00:00.000Z";
  const messages = RUNS.flatMap(([command, text, isError], n) => [
    {
      role: "assistant",
      content: [{ type: "toolCall", id: `c${n}`, name: "bash", arguments: { command } }],
      stopReason: "toolUse",
      timestamp: 1,
    },
    {
      role: "toolResult",
      toolCallId: `c${n}`,
      toolName: "bash",
      content: [{ type: "text", text }],
      isError,
      timestamp: 1,
    },
  ]);
  const lines = messages.map((message, n) => ({
    type: "message",
    id: `e${n}`,
    parentId: n === 0 ? null : `e${n - 1}`,
    timestamp: at,
    message,
  }));
  const header = { type: "session", version: 3, id: "s", timestamp: at, cwd: "/w" };
  yield new TextEncoder().encode(`${[header, ...lines].map((line) => JSON.stringify(line)).join("\n")}\n`);
}

test("collectSession() counts runs that it does not read, and tells of each command what its last run was", async () => {
  const session = await readSession(fileOf());
  const facts = await collectSession(session);
  expect(collectFacts(session.header, getBranch(session))).toEqual(facts);
  expect(facts.commands.map(({ command, status, runs }) => [command, status, runs])).toContainEqual([
    "bun test",
    "ok",
    3,
  ]);
  expect(facts.tests.map(({ summary }) => summary)).toEqual(["3 pass, 0 fail"]);
});
