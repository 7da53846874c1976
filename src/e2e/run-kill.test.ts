// `kill -9` at any moment of a run whose rules interrupt again and again: the forbidden text is never on the branch, and
// the session goes on. AGENT_KILL_RUNS says how often (the gate: 10).

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { toModelMessages } from "../model/context.ts";
import { buildSessionContext } from "../session/context.ts";
import { openSession } from "../session/open.ts";
import { parseLines, type RunPlace, runPlace } from "../testing/run-command.ts";

const RUNS = Number(process.env["AGENT_KILL_RUNS"] ?? 10);
const RULE = "---\ncondition: FORBIDDEN\nrepeatMode: after-gap\nrepeatGap: 0\n---\n\nDo not.\n";
const SETTINGS = '{ "ttsr": { "retryDelayMs": 1, "maxInterrupts": 10000, "maxInterruptsPerRule": 10000 } }';

/** Answers that are all forbidden but the last; the text before the match makes a write of several pages. */
function recording(): string {
  const long = "filler ".repeat(5_000);
  const forbidden = [
    { type: "start" },
    { type: "text_delta", delta: long },
    { type: "text_delta", delta: "FORBIDDEN" },
    { type: "done" },
  ];
  const last = [{ type: "start" }, { type: "text_delta", delta: "fine" }, { type: "done" }];
  const lines = [...Array.from({ length: 40 }, () => forbidden).flat(), ...last];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

async function prepared(): Promise<RunPlace> {
  const place = await runPlace();
  place.dir.write(".agent/rules/never.md", RULE);
  place.dir.write("c.jsonc", SETTINGS);
  place.dir.write("r.jsonl", recording());
  place.dir.write("fine.jsonl", recording().split("\n").slice(-4).join("\n"));
  return place;
}

test(
  `run killed at any moment leaves no forbidden text on the branch (${RUNS} times)`,
  async () => {
    await using place = await prepared();
    const killedInside: number[] = [];
    for (let index = 0; index < RUNS; index++) {
      const path = `${place.dir.path}/s${index}.jsonl`;
      const running = place.start(["--config", "c.jsonc", "--into", path, "go"], { model: "replay:r.jsonl" });
      setTimeout(() => running.child.kill("SIGKILL"), 40 + Math.random() * 260);
      await running.result;
      const file = Bun.file(path);
      if (!(await file.exists())) continue;
      const session = await openSession(path);
      const { messages } = buildSessionContext(session);
      expect(JSON.stringify(messages)).not.toContain("FORBIDDEN");
      const sent = toModelMessages(messages);
      expect(sent.every((message) => message.role === "user" || message.role === "assistant")).toBe(true);
      if (readFileSync(path, "utf8").includes("FORBIDDEN")) killedInside.push(session.size);
    }
    expect(killedInside.length).toBeGreaterThan(0);
  },
  RUNS * 5_000 + 60_000,
);

test("a write that was cut after any of its bytes leaves no forbidden text on the branch", async () => {
  await using place = await runPlace();
  place.dir.write(".agent/rules/never.md", RULE);
  const answers = ["some FORBIDDEN text", "fine"].map((delta) => [
    { type: "start" },
    { type: "text_delta", delta },
    { type: "done" },
  ]);
  place.dir.write(
    "r.jsonl",
    answers
      .flat()
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  await place.run(["--into", "s.jsonl", "go"], { model: "replay:r.jsonl" });
  const whole = readFileSync(`${place.dir.path}/s.jsonl`, "utf8");
  const end = whole.indexOf('"fine"');
  for (let length = whole.indexOf("\n") + 1; length < end; length += 7) {
    const path = place.dir.write("cut.jsonl", whole.slice(0, length));
    const { messages } = buildSessionContext(await openSession(path));
    expect(JSON.stringify(messages)).not.toContain("FORBIDDEN");
  }
});

test("run goes on in a session whose run was killed, its last line torn", async () => {
  await using place = await prepared();
  const path = `${place.dir.path}/s.jsonl`;
  await place.run(["--config", "c.jsonc", "--into", path, "go"], { model: "replay:r.jsonl" });
  const whole = readFileSync(path, "utf8");
  place.dir.write("torn.jsonl", whole.slice(0, -40));
  const result = await place.run(["--session", "torn.jsonl", "--output", "json", "again"], {
    model: "replay:fine.jsonl",
  });
  expect(JSON.parse(result.stdout)).toMatchObject({ ok: true, text: "fine" });
  const lines = readFileSync(`${place.dir.path}/torn.jsonl`, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const last = parseLines(lines.at(-1) ?? "")[0];
  expect(last).toMatchObject({ type: "message", message: { role: "assistant" } });
});
