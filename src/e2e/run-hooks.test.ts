// Hooks and onSession programs are told of a rule, and can neither delay nor break the abort and the retry.

import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { parseRecords } from "../testing/event-schema.ts";
import { chunk, textAnswer } from "../testing/fake-answers.ts";
import { type RunPlace, runPlace } from "../testing/run-command.ts";
import { until } from "../testing/until.ts";

const RULE = "---\ncondition: ': any'\n---\n\nUse unknown.\n";

async function ruledPlace(settings: object): Promise<RunPlace> {
  const forbidden = { lines: [chunk({ content: "x: any" })], ending: "open" } as const;
  const place = await runPlace([forbidden, textAnswer("fine")]);
  place.dir.write(".agent/rules/no-any.md", RULE);
  place.dir.write("c.jsonc", JSON.stringify(settings));
  return place;
}

const shell = (script: string) => ["sh", "-c", script];

test("run asks again before a hook that waits for it has ended", async () => {
  const script = "while [ ! -e go ]; do sleep 0.02; done; cat > told.json";
  await using place = await ruledPlace({
    hooks: { ttsr_triggered: [{ command: shell(script), timeoutMs: 60_000 }] },
  });
  const running = place.start(["--config", "c.jsonc", "hi"]);
  const second = await place.server.chat(1);
  expect(existsSync(`${place.dir.path}/told.json`)).toBe(false);
  expect(second.isClientGone()).toBe(false);
  place.dir.write("go", "");
  expect(await running.result).toMatchObject({ code: 0, stdout: "fine\n" });
  expect(JSON.parse(readFileSync(`${place.dir.path}/told.json`, "utf8"))).toEqual({
    type: "ttsr_triggered",
    rules: [{ name: "no-any", path: ".agent/rules/no-any.md", severity: "error" }],
    stream: "text",
    at: 6,
  });
});

test("run goes on whatever its hooks do: fail, flood, sleep, or not exist", async () => {
  for (const command of [shell("exit 3"), ["yes"], ["sleep", "600"], ["/no/such/program"]]) {
    await using place = await ruledPlace({ hooks: { ttsr_triggered: [{ command, timeoutMs: 200 }] } });
    const result = await place.run(["--config", "c.jsonc", "hi"]);
    expect(result).toMatchObject({ code: 0, stdout: "fine\n" });
    expect(result.stderr).toContain("warning: hook ttsr_triggered");
  }
});

test("run says in its result that a signal ended it while it waited for its hooks", async () => {
  await using place = await ruledPlace({
    hooks: { agent_end: [{ command: ["sleep", "600"], timeoutMs: 600_000 }] },
  });
  const running = place.start(["--config", "c.jsonc", "--output", "jsonl", "hi"]);
  await until(() => running.stdout().includes('"agent_end"'));
  running.child.kill("SIGINT");
  const result = await running.result;
  expect(result.code).toBe(130);
  expect(parseRecords(result.stdout).at(-1)).toMatchObject({ ok: false, exitCode: 130, text: "fine" });
}, 30_000);

test("run gives its hooks no more than a moment after --max-time", async () => {
  await using place = await ruledPlace({
    hooks: { agent_start: [{ command: ["sleep", "600"], timeoutMs: 600_000 }] },
  });
  const result = await place.run(["--config", "c.jsonc", "--max-time", "2s", "--no-rules", "hi"]);
  expect(result.code).toBe(6);
  expect(result.stderr).toContain("warning: hook agent_start (sleep): The program was ended with the run");
}, 30_000);

test("run tells custom tools with onSession of a rule", async () => {
  const tool = {
    name: "keeper",
    description: "keeps what it is told",
    parameters: { type: "object", properties: {} },
    command: shell("cat >> told.jsonl"),
    onSession: true,
  };
  await using place = await ruledPlace({ tools: [tool] });
  expect((await place.run(["--config", "c.jsonc", "hi"])).code).toBe(0);
  const told = readFileSync(`${place.dir.path}/told.jsonl`, "utf8").trimEnd().split("\n");
  expect(told.map((line) => JSON.parse(line).reason)).toContain("ttsr_triggered");
  expect(
    told.map((line) => JSON.parse(line)).find(({ reason }) => reason === "ttsr_triggered"),
  ).toMatchObject({
    rules: [{ name: "no-any" }],
  });
});
