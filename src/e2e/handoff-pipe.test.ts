// Work that goes on elsewhere: a handoff through a pipe, `/handoff` in a prompt, and the new session in `agent run`.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { textAnswer } from "../testing/fake-answers.ts";
import { handoffPlace } from "../testing/handoff-command.ts";

test("handoff --output session prints the new session alone, and makes no file", async () => {
  await using place = await handoffPlace("auth-refactor", [textAnswer("I go on with the key.")]);
  const text = readFileSync(place.path, "utf8");
  const handed = await place.run(["handoff", "-", "--engine", "offline", "--output", "session"], {
    stdin: text,
  });
  expect(handed).toMatchObject({ code: 0, stderr: "" });
  expect(place.stored()).toEqual([]);
  const lines = handed.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => line.type)).toEqual(["session", "custom_message"]);
  const run = await place.run(["run", "--session", "-", "--output", "text", ...place.model, "go on"], {
    stdin: handed.stdout,
  });
  expect(run).toMatchObject({ code: 0, stdout: "I go on with the key.\n" });
  const sent = JSON.stringify(place.server.chats()[0]?.body["messages"]);
  expect(sent).toContain("<handoff-context>\\n# Handoff");
  expect(sent).toContain("Please fix the key in src/config.ts");
});

test("handoff's new session goes on with run --session", async () => {
  await using place = await handoffPlace("short", [textAnswer("Going on.")]);
  await place.run(["handoff", "old.jsonl", "--engine", "offline", "--into", "next.jsonl"]);
  const run = await place.run(["run", "--session", "next.jsonl", ...place.model, "go on"]);
  expect(run).toMatchObject({ code: 0, stdout: "Going on.\n" });
  const again = await place.run(["handoff", "next.jsonl", "--engine", "offline", "--no-session"]);
  expect(again.stdout).toContain("From the earlier handoff: ");
});

test("run '/handoff <focus>' is a handoff of the session, also from stdin", async () => {
  await using place = await handoffPlace("auth-refactor");
  place.dir.write(".agent/prompts/handoff.md", "a template that is never used");
  const text = readFileSync(place.path, "utf8");
  for (const [args, stdin] of [
    [["run", "--session", "old.jsonl", "/handoff the key"], undefined],
    [["run", "--session", "-", "/handoff the key"], text],
  ] as const) {
    const result = await place.run(args, stdin === undefined ? {} : { stdin });
    expect(result.code).toBe(0);
    expect(result.stdout).toStartWith("# Handoff\n");
    expect(result.stdout).toContain("Additional focus: the key");
  }
});

test("run '/handoff' without a session has nothing to hand off", async () => {
  await using place = await handoffPlace("short");
  const result = await place.run(["run", "--no-session", "/handoff"]);
  expect(result).toMatchObject({
    code: 4,
    stdout: "",
    stderr: "agent: Nothing to hand off (no messages yet)\n",
  });
});
