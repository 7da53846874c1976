// Rules in the stream, through the binary, with the wire and the session file looked at.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { parseRecords } from "../testing/event-schema.ts";
import { answerOf, chunk, errorAnswer, textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { branchOutline, runPlace } from "../testing/run-command.ts";

const RULE = "---\ncondition: ': any'\n---\n\nUse unknown.\n";
/** Text that a rule forbids, from a server that then goes on for ever. */
const FORBIDDEN = {
  lines: [chunk({ content: "let x" }), chunk({ content: ": any" })],
  ending: "open",
} as const;

test("run closes the request, goes back, and asks again with the reminder", async () => {
  await using place = await runPlace([FORBIDDEN, textAnswer("let x: unknown")]);
  place.dir.write(".agent/rules/no-any.md", RULE);
  const result = await place.run(["declare x"]);
  expect(result).toEqual({
    code: 0,
    signal: null,
    stdout: "let x: unknown\n",
    stderr: expect.stringContaining("rule no-any stopped the model in its text at offset 10"),
  });
  const [first, second] = place.server.chats();
  expect(first?.isClientGone()).toBe(true);
  expect(JSON.stringify(second?.body)).not.toContain(": any");
  expect(second?.body["messages"]).toMatchObject([
    { role: "system" },
    { role: "user", content: "declare x" },
    {
      role: "user",
      content: expect.stringMatching(
        /^<system-interrupt reason="rule_violation" rule="no-any" path=".agent\/rules\/no-any.md">[\s\S]*Use unknown\.\n<\/system-interrupt>$/,
      ),
    },
  ]);
  expect(
    place
      .session()
      .slice(2)
      .map(({ type }) => type),
  ).toEqual(["message", "message", "custom_message", "ttsr_injection", "message"]);
  expect(branchOutline(place.session())).toEqual([
    "model_change",
    "user: declare x",
    "ttsr-injection",
    "ttsr_injection",
    "assistant: let x: unknown",
  ]);
});

test("run never sends the discarded text again, not even when the session goes on", async () => {
  await using place = await runPlace([
    FORBIDDEN,
    textAnswer("let x: unknown"),
    textAnswer("x: any again"),
    textAnswer("never"),
  ]);
  place.dir.write(".agent/rules/no-any.md", RULE);
  await place.run(["declare x"]);
  const again = await place.run(["--continue", "--output", "jsonl", "and y"]);
  expect(again.code).toBe(0);
  expect(JSON.stringify(place.server.chats()[2]?.body)).not.toContain("let x: any");
  const records = parseRecords(again.stdout);
  expect(records.filter(({ type }) => type === "ttsr_suppressed").length).toBe(1);
  expect(records.at(-1)).toMatchObject({
    text: "x: any again",
    violations: [{ rule: "no-any", severity: "error", stream: "text", at: 6, outcome: "suppressed" }],
  });
});

test("run lets a rule with after-gap fire again when its turns have passed", async () => {
  await using place = await runPlace([FORBIDDEN, textAnswer("ok"), FORBIDDEN, textAnswer("ok again")]);
  place.dir.write(
    ".agent/rules/no-any.md",
    RULE.replace("---\n\n", "repeatMode: after-gap\nrepeatGap: 1\n---\n\n"),
  );
  await place.run(["declare x"]);
  const again = await place.run(["--continue", "and y"]);
  expect(again.stdout).toBe("ok again\n");
});

test("run stops a tool call while it is being written, and runs nothing of it", async () => {
  const call = { name: "write", arguments: { path: "a.ts", content: "let x: any" } };
  const pass = { name: "write", arguments: { path: "a.md", content: "let x: any" } };
  await using place = await runPlace([toolAnswer(pass), toolAnswer(call), textAnswer("done")]);
  place.dir.write(
    ".agent/rules/no-any.md",
    "---\ncondition: ': any'\nscope: tool:write(*.ts)\n---\n\nUse unknown.\n",
  );
  const result = await place.run(["--allow-write", "--output", "jsonl", "write it"]);
  const records = parseRecords(result.stdout);
  expect(records.filter(({ type }) => type === "ttsr_triggered")).toMatchObject([
    { stream: "tool:write", at: 10 },
  ]);
  expect(records.filter(({ type }) => type === "tool_execution_end").length).toBe(1);
  expect(result.code).toBe(0);
});

test("run keeps the text with contextMode keep and fails with --fail-on-violation", async () => {
  await using place = await runPlace([FORBIDDEN, textAnswer("fine")]);
  place.dir.write(".agent/rules/no-any.md", RULE.replace("---\n\n", "contextMode: keep\n---\n\n"));
  const result = await place.run(["--fail-on-violation", "declare x"]);
  expect(result.code).toBe(7);
  expect(result.stdout).toBe("fine\n");
  expect(branchOutline(place.session())).toEqual([
    "model_change",
    "user: declare x",
    "assistant: let x: any",
    "ttsr-injection",
    "ttsr_injection",
    "assistant: fine",
  ]);
});

test("run with --fail-on-violation ends before a tool call is run that a rule reports for the second time", async () => {
  const call = toolAnswer({ name: "write", arguments: { path: "a.ts", content: "let x: any" } });
  await using place = await runPlace([call, call]);
  place.dir.write(".agent/rules/no-any.md", RULE.replace("---\n\n", "scope: tool:write(*.ts)\n---\n\n"));
  const result = await place.run(["--allow-write", "--fail-on-violation", "--output", "json", "write it"]);
  expect(result.code).toBe(7);
  expect(JSON.parse(result.stdout)).toMatchObject({
    exitCode: 7,
    violations: [{ outcome: "discarded" }, { outcome: "suppressed", stream: "tool:write" }],
    error: { kind: "rule", message: expect.stringContaining("before a tool call") },
  });
  expect(existsSync(`${place.dir.path}/a.ts`)).toBe(false);
  expect(branchOutline(place.session()).slice(-2)).toEqual([
    "assistant: (toolCall write)",
    "toolResult: not run, a rule forbids a call of this message",
  ]);
});

test("run with --fail-on-violation passes when the text was discarded and written anew", async () => {
  await using place = await runPlace([FORBIDDEN, textAnswer("fine")]);
  place.dir.write(".agent/rules/no-any.md", RULE);
  expect((await place.run(["--fail-on-violation", "declare x"])).code).toBe(0);
});

test("run ends with 7 past maxInterrupts, in every output with the same code", async () => {
  for (const output of ["text", "json"]) {
    await using place = await runPlace([FORBIDDEN, FORBIDDEN]);
    place.dir.write(
      ".agent/rules/no-any.md",
      RULE.replace("---\n\n", "repeatMode: after-gap\nrepeatGap: 0\n---\n\n"),
    );
    place.dir.write("agent.jsonc", '{ "ttsr": { "maxInterrupts": 1 } }');
    const result = await place.run(["--config", "agent.jsonc", "--output", output, "declare x"]);
    expect(result.code).toBe(7);
    expect(branchOutline(place.session()).filter((line) => line.startsWith("assistant"))).toEqual([]);
  }
});

test("run matches nothing with ttsr.enabled false or --no-rules", async () => {
  for (const flags of [["--no-rules"], ["--config", "agent.jsonc"]]) {
    await using place = await runPlace([textAnswer("x: any")]);
    place.dir.write(".agent/rules/no-any.md", RULE);
    place.dir.write("agent.jsonc", '{ "ttsr": { "enabled": false } }');
    const result = await place.run([...flags, "declare x"]);
    expect(result).toMatchObject({ code: 0, stdout: "x: any\n" });
  }
});

test("run watches thinking for rules that ask for it", async () => {
  const thinking = { ...answerOf([{ thinking: "I will use : any here" }, { content: "x" }]) };
  await using place = await runPlace([thinking, textAnswer("fine")]);
  place.dir.write(".agent/rules/no-any.md", RULE.replace("---\n\n", "scope: thinking\n---\n\n"));
  const result = await place.run(["--output", "json", "declare x"]);
  expect(JSON.parse(result.stdout)).toMatchObject({
    text: "fine",
    violations: [{ rule: "no-any", stream: "thinking", outcome: "discarded" }],
  });
});

test("run ends with the server's error when the request after a rule fails, its write made", async () => {
  await using place = await runPlace([FORBIDDEN, errorAnswer(401, "unauthorized")]);
  place.dir.write(".agent/rules/no-any.md", RULE);
  const result = await place.run(["--output", "json", "declare x"]);
  expect(JSON.parse(result.stdout)).toMatchObject({
    exitCode: 1,
    text: "",
    violations: [{ rule: "no-any", outcome: "discarded" }],
  });
  expect(branchOutline(place.session())).toEqual([
    "model_change",
    "user: declare x",
    "ttsr-injection",
    "ttsr_injection",
  ]);
});

test("run injects what several rules of several turns say, each once", async () => {
  const bad = (text: string) => ({ lines: [chunk({ content: text })], ending: "open" }) as const;
  await using place = await runPlace([
    bad("x: any and var y"),
    toolAnswer({ name: "ls", arguments: {} }),
    bad("console.log(x)"),
    textAnswer("x: any, said again"),
  ]);
  place.dir.write(".agent/rules/no-any.md", RULE);
  place.dir.write(".agent/rules/no-log.md", "---\ncondition: 'console\\.log'\n---\n\nNo logs.\n");
  place.dir.write(".agent/rules/no-var.md", "---\ncondition: 'any and var'\n---\n\nNo var.\n");
  const result = await place.run(["--output", "jsonl", "go"]);
  const records = parseRecords(result.stdout);
  expect(records.at(-1)?.["violations"]).toMatchObject([
    { rule: "no-any", outcome: "discarded" },
    { rule: "no-var", outcome: "discarded" },
    { rule: "no-log", outcome: "discarded" },
    { rule: "no-any", outcome: "suppressed" },
  ]);
  const injections = place.session().filter(({ type }) => type === "ttsr_injection");
  expect(injections.map(({ injectedRules }) => injectedRules)).toEqual([["no-any", "no-var"], ["no-log"]]);
});
