// `kill -9` at any moment of a run whose rules interrupt again and again: the forbidden text is never on the branch, and
// the session goes on. AGENT_KILL_RUNS says how often (the gate: 10).

import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { toModelMessages } from "../model/context.ts";
import { buildSessionContext } from "../session/context.ts";
import { openSession } from "../session/open.ts";
import { parseLines, type RunPlace, runPlace } from "../testing/run-command.ts";

const RUNS = Number(process.env["AGENT_KILL_RUNS"] ?? 10);
const RULE = "---\ncondition: FORBIDDEN\nrepeatMode: after-gap\nrepeatGap: 0\n---\n\nDo not.\n";
const SETTINGS = '{ "ttsr": { "retryDelayMs": 1, "maxInterrupts": 10000, "maxInterruptsPerRule": 10000 } }';

/**
 * Answers that are all forbidden but the last; the text before the match makes a write of several pages. The last takes
 * so long that no run ends before it is killed.
 */
function recording(lastDelayMs: number): string {
  const long = "filler ".repeat(5_000);
  const forbidden = [
    { type: "start" },
    { type: "text_delta", delta: long },
    { type: "text_delta", delta: "FORBIDDEN" },
    { type: "done" },
  ];
  const last = [
    { type: "start" },
    { type: "text_delta", delta: "fine", delayMs: lastDelayMs },
    { type: "done" },
  ];
  const lines = [...Array.from({ length: 40 }, () => forbidden).flat(), ...last];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** About what an interrupted answer takes in the file. */
const ANSWER_BYTES = 35_000;

/** Waits until a file has more than `bytes`: a moment of the run, whatever the speed of the machine. */
async function grown(path: string, bytes: number): Promise<void> {
  while ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= bytes) await Bun.sleep(1);
}

async function prepared(): Promise<RunPlace> {
  const place = await runPlace();
  place.dir.write(".agent/rules/never.md", RULE);
  place.dir.write("c.jsonc", SETTINGS);
  place.dir.write("r.jsonl", recording(0));
  place.dir.write("slow.jsonl", recording(600_000));
  place.dir.write("fine.jsonl", recording(0).split("\n").slice(-4).join("\n"));
  return place;
}

test(
  `run killed at any moment leaves no forbidden text on the branch (${RUNS} times)`,
  async () => {
    await using place = await prepared();
    let interrupted = 0;
    for (let index = 0; index < RUNS; index++) {
      const path = `${place.dir.path}/s${index}.jsonl`;
      const running = place.start(["--config", "c.jsonc", "--into", path, "go"], {
        model: "replay:slow.jsonl",
      });
      await grown(path, Math.floor(Math.random() * 30) * ANSWER_BYTES);
      await Bun.sleep(Math.random() * 5);
      running.child.kill("SIGKILL");
      expect((await running.result).signal).toBe("SIGKILL");
      const session = await openSession(path);
      const { messages } = buildSessionContext(session);
      expect(JSON.stringify(messages)).not.toContain("FORBIDDEN");
      const sent = toModelMessages(messages);
      expect(sent.every((message) => message.role === "user" || message.role === "assistant")).toBe(true);
      if (readFileSync(path, "utf8").includes("FORBIDDEN")) interrupted += 1;
    }
    console.error(`${interrupted} of ${RUNS} runs had been interrupted by the rule`);
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
