// A conversation longer than the model's window, against a server that enforces a small one.

import { expect, test } from "bun:test";
import { textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import type { FakeRequest, ScriptedAnswer } from "../testing/fake-ollama.ts";
import { type RunPlace, runPlace, sessionLines } from "../testing/run-command.ts";

const WINDOW = 4_096;
const WINDOWED = { window: { defaultContext: WINDOW, maxContext: WINDOW } };

const isSummary = (request: FakeRequest) =>
  JSON.stringify(request.body).includes("older part of a conversation");

/** Answers summaries with their number, and everything else with `answer`. */
function answering(count: number, answer: () => ReturnType<typeof textAnswer>): readonly ScriptedAnswer[] {
  let summaries = 0;
  return Array.from({ length: count }, () => (request: FakeRequest) => {
    if (!isSummary(request)) return answer();
    summaries += 1;
    return textAnswer(`Summary ${summaries}.`);
  });
}

async function turns(place: RunPlace, count: number, word: string): Promise<void> {
  for (let index = 0; index < count; index++) {
    const prompt = `${word} ${index}: ${"some words ".repeat(110)}`;
    const result = await place.run([
      "--num-ctx",
      String(WINDOW),
      "--session",
      "s.jsonl",
      "--output",
      "json",
      prompt,
    ]);
    if (result.code !== 0) throw new Error(result.stderr);
  }
}

test("run compacts near the window, twice, and the second keeps what the first kept", async () => {
  await using place = await runPlace(
    answering(60, () => textAnswer("understood ".repeat(40))),
    WINDOWED,
  );
  await place.run(["--num-ctx", String(WINDOW), "--into", "s.jsonl", "start"]);
  await turns(place, 16, "item");
  const lines = sessionLines(`${place.dir.path}/s.jsonl`);
  const compactions = lines.filter(({ type }) => type === "compaction");
  expect(compactions.length).toBeGreaterThanOrEqual(2);
  const ids = lines.map(({ id }) => id);
  for (const compaction of compactions) {
    const kept = ids.indexOf(compaction["firstKeptEntryId"]);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(ids.indexOf(compaction["id"]));
  }
  const [first, second] = compactions;
  expect(ids.indexOf(second?.["firstKeptEntryId"])).toBeGreaterThan(ids.indexOf(first?.["firstKeptEntryId"]));
  const summarised = place.server.chats().filter(isSummary).at(-1);
  expect(JSON.stringify(summarised?.body)).toMatch(/\[Summary of earlier work\]\\nSummary \d/);
  for (const request of place.server.chats())
    expect(JSON.stringify(request.body["messages"]).length / 4).toBeLessThan(WINDOW);
}, 60_000);

test("run shortens long tool results, and never leaves a call without its result", async () => {
  const paths = Array.from({ length: 8 }, (_, index) => `f${index}.txt`);
  const answers = [
    ...paths.map((path) => toolAnswer({ name: "read", arguments: { path } })),
    textAnswer("done"),
  ];
  let next = 0;
  await using place = await runPlace(
    answering(40, () => answers[next++] ?? textAnswer("done")),
    WINDOWED,
  );
  const text = Array.from({ length: 120 }, (_, index) => `line ${index} of a long file`).join("\n");
  for (const path of paths) place.dir.write(path, text);
  const result = await place.run(["--num-ctx", String(WINDOW), "--output", "json", "read them all"]);
  expect(JSON.parse(result.stdout)).toMatchObject({ exitCode: 0, text: "done" });
  const asked = place.server.chats().filter((request) => !isSummary(request));
  expect(asked.some(({ body }) => JSON.stringify(body).includes("characters left out"))).toBe(true);
  for (const { body } of place.server.chats()) {
    const roles = (body["messages"] as readonly { role: string; tool_calls?: readonly unknown[] }[]).flatMap(
      ({ role, tool_calls }) => (tool_calls === undefined ? [role] : ["calls"]),
    );
    for (const [index, role] of roles.entries()) {
      if (role === "calls") expect(roles[index + 1]).toBe("tool");
      if (role === "tool") expect(["calls", "tool"]).toContain(roles[index - 1] ?? "");
    }
  }
}, 60_000);
