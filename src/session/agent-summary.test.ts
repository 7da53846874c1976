import { expect, test } from "bun:test";
import { FIXTURES } from "../testing/conversion.ts";
import { tempDir } from "../testing/temp.ts";
import { summariseAgentSession, summariseFile } from "./agent-summary.ts";
import { agentSessions } from "./places.ts";

const summary = async (path: string) => {
  const { path: _path, modified: _modified, ...rest } = (await summariseFile(path)) ?? {};
  return rest;
};

test("summariseFile() tells of a session of any format what a list shows", async () => {
  expect([
    await summary(`${FIXTURES}/claude-basic.jsonl`),
    await summary(`${FIXTURES}/opencode.json`),
    await summary(`${FIXTURES}/claude-history.jsonl`),
    await summary(`${FIXTURES}/no-such-file.jsonl`),
  ]).toEqual([
    {
      id: "7c1f0d52-9a44-4d0e-8f5b-0e6c1c5b2a10",
      cwd: "/srv/kettle",
      format: "claude",
      name: "A whistling kettle",
      messages: 7,
      firstPrompt: "Make the kettle whistle when the water boils.",
    },
    {
      id: "ses_4f",
      cwd: "/srv/bakery",
      format: "opencode",
      name: "Crusty bread",
      messages: 7,
      firstPrompt: "Make the crust crisp.\n[file oven.ts]",
    },
    {},
    {},
  ]);
});

test("summariseFile() reads the beginning of a long file only, and estimates", async () => {
  using dir = tempDir();
  const line = (index: number) =>
    JSON.stringify({
      type: "user",
      sessionId: "s",
      cwd: "/srv",
      uuid: `u${index}`,
      timestamp: "2026-01-01T00:00:00Z",
      message: { role: "user", content: `prompt ${String(index).padStart(5, "0")} ${"x".repeat(1_000)}` },
    });
  const path = dir.write(
    "long.jsonl",
    Array.from({ length: 1_000 }, (_, index) => `${line(index)}\n`).join(""),
  );
  const { messages, messagesEstimated } = (await summariseFile(path)) ?? {};
  expect(messagesEstimated).toBe(true);
  expect(Math.abs((messages ?? 0) - 1_000)).toBeLessThan(20);
});

test("summariseAgentSession() counts what it read of a long session in many files", async () => {
  using home = tempDir();
  const root = ".local/share/opencode/storage";
  home.write(`${root}/session/p/s.json`, '{"id":"s","projectID":"p","directory":"/srv"}');
  for (let number = 10; number < 60; number++) {
    home.write(`${root}/message/s/m${number}.json`, `{"id":"m${number}","role":"user"}`);
    const part = { id: "p", type: "text", text: "x".repeat(10_000) };
    home.write(`${root}/part/m${number}/p.json`, JSON.stringify(part));
  }
  const [session] = agentSessions({ agent: "opencode", home: home.path, env: {} });
  const { messages, messagesEstimated } =
    (session === undefined ? undefined : await summariseAgentSession(session)) ?? {};
  expect(messagesEstimated).toBe(true);
  expect(messages).toBeGreaterThan(20);
});
