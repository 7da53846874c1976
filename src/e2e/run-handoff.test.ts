// `/handoff` in the prompt: the same as `agent handoff` on the session that the flags name.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { textAnswer } from "../testing/fake-answers.ts";
import { runPlace } from "../testing/run-command.ts";

const DOCUMENT = [
  "## Goal\n\nFix it.",
  "## Constraints & Preferences\n\nNone.",
  "## Progress\n\n### Done\n\n- one\n\n### In Progress\n\n- two\n\n### Pending\n\n- three",
  "## Key Decisions\n\nNone.",
  "## Critical Context\n\nNone.",
  "## Next Steps\n\n1. Go on.",
].join("\n\n");

test("run /handoff writes the document with the focus that follows, and starts a new session", async () => {
  await using place = await runPlace([textAnswer("one"), textAnswer(DOCUMENT), textAnswer(DOCUMENT)]);
  await place.run(["--into", "s.jsonl", "first"]);
  const result = await place.run(["--session", "s.jsonl", "/handoff the tests"]);
  expect(result.code).toBe(0);
  expect(result.stdout).toStartWith("## Goal\n\nFix it.");
  expect(result.stderr).toContain("New session started with handoff context: ");
  expect(JSON.stringify(place.server.chats()[1]?.body)).toContain("Additional focus: the tests");
  expect(place.session()[1]).toMatchObject({ type: "custom_message", customType: "handoff" });
  const again = await place.run(["--session", "s.jsonl", "--no-session", "--output", "json", "/handoff"]);
  expect(JSON.parse(again.stdout)).toMatchObject({
    type: "result",
    ok: true,
    sessionPath: null,
    text: expect.stringContaining("## Goal"),
  });
});

test("run /handoff has document, usage and new session in its result, whatever the output", async () => {
  await using place = await runPlace(["one", DOCUMENT, DOCUMENT].map((text) => textAnswer(text)));
  await place.run(["--into", "s.jsonl", "first"]);
  for (const output of ["json", "session"]) {
    const flags = output === "json" ? ["--into", "next.jsonl"] : [];
    const args = ["--session", "s.jsonl", "--output", output, "--result", "r.json", ...flags, "/handoff"];
    expect((await place.run(args)).code).toBe(0);
    const result = JSON.parse(readFileSync(`${place.dir.path}/r.json`, "utf8"));
    expect(result).toMatchObject({ type: "result", ok: true, exitCode: 0, turns: 1, stopReason: "stop" });
    expect(result.text).toStartWith("## Goal");
    expect(result.usage.totalTokens).toBeGreaterThan(0);
    expect(result.sessionPath).toBe(output === "json" ? `${place.dir.path}/next.jsonl` : null);
  }
});

test("run /handoff says once what is odd in the settings", async () => {
  await using place = await runPlace([textAnswer("one"), textAnswer(DOCUMENT)]);
  await place.run(["--into", "s.jsonl", "first"]);
  place.dir.write("odd.jsonc", '{ "colour": "blue" }');
  const { stderr } = await place.run(["--session", "s.jsonl", "--config", "odd.jsonc", "/handoff"]);
  expect(stderr.split("unknown key").length).toBe(2);
});

test("run /handoff refuses flags that exclude each other", async () => {
  await using place = await runPlace([textAnswer("one")]);
  await place.run(["--into", "s.jsonl", "first"]);
  for (const flags of [
    ["--fork", "s.jsonl"],
    ["--fork", "s.jsonl:0000"],
    ["--session", "s.jsonl", "--continue"],
    ["--session", "s.jsonl", "--no-session", "--into", "next.jsonl"],
  ]) {
    const result = await place.run([...flags, "/handoff"]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain("exclude each other");
  }
});

test("run /handoff gives 4 without a session and for one that has nothing to hand off", async () => {
  await using place = await runPlace();
  expect(await place.run(["/handoff"])).toMatchObject({ code: 4, stdout: "" });
  const result = await place.run(["--output", "json", "/handoff the tests"]);
  expect(JSON.parse(result.stdout)).toMatchObject({
    type: "result",
    exitCode: 4,
    error: { kind: "nothing" },
  });
  expect(place.server.chats()).toEqual([]);
});
