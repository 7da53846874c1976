import { expect, test } from "bun:test";
import {
  assistantEntry,
  HEADER,
  jsonl,
  sessionOf,
  sessionWith,
  userEntry,
} from "../../testing/session-text.ts";
import { handoffPrompt } from "../prompt.ts";
import { collectSession } from "./collect.ts";
import type { Facts } from "./facts.ts";

const ASKED = [userEntry("a", null, "fix the login"), assistantEntry("b", "a")] as const;

/** A Claude Code session of these user texts (strings) and assistant blocks. */
async function claude(...turns: readonly (string | readonly object[])[]): Promise<Facts> {
  const lines = turns.map((turn, n) => {
    const isUser = typeof turn === "string" || "tool_use_id" in (turn[0] ?? {});
    return {
      type: isUser ? "user" : "assistant",
      uuid: `u${n}`,
      parentUuid: n === 0 ? null : `u${n - 1}`,
      sessionId: "s",
      cwd: "/repo",
      version: "2.0.0",
      timestamp: new Date(Date.parse(HEADER.timestamp) + n * 1000).toISOString(),
      message: {
        ...(isUser ? {} : { id: `m${n}`, model: "c", stop_reason: "end_turn" }),
        role: isUser ? "user" : "assistant",
        content: turn,
      },
    };
  });
  return await collectSession(await sessionOf(jsonl(...lines)));
}

const said = (text: string) => [{ type: "text", text }];
const bash = [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } }];
const COMMAND = "<command-name>/review</command-name><command-args>the auth code</command-args>";
const requests = (facts: Facts) => facts.requests.map((request) => request.text);

test("collectSession() takes a slash command that was answered for a request", async () => {
  const facts = await claude("fix it", said("Done."), COMMAND, said("It looks fine."));
  expect(requests(facts)).toEqual(["fix it", "/review the auth code"]);
  expect(facts.end?.state).toBe("answered");
});

test("collectSession() takes a slash command that ends the session for its newest request", async () => {
  const facts = await claude("fix it", said("Done."), COMMAND);
  expect(requests(facts)).toEqual(["fix it", "/review the auth code"]);
  expect(facts.end).toMatchObject({ state: "unanswered", entryId: facts.requests[1]?.entryId });
});

test("collectSession() takes what the agent's own screen answered for no request", async () => {
  const model = "<command-name>/model</command-name><command-args>large</command-args>";
  const output = "<local-command-stdout>Set model to large</local-command-stdout>";
  expect(requests(await claude("fix it", said("Done."), model, output))).toEqual(["fix it"]);
  expect(requests(await claude("fix it", said("Done."), model))).toEqual(["fix it"]);
  expect(requests(await claude("fix it", said("Done."), "/clear", "now the tests"))).toEqual([
    "fix it",
    "now the tests",
  ]);
});

test("collectSession() tells that the user stopped the agent at a call", async () => {
  const refused = "The user doesn't want to proceed with this tool use.";
  const facts = await claude(
    "fix it",
    bash,
    [{ type: "tool_result", tool_use_id: "t1", content: refused, is_error: true }],
    "[Request interrupted by user for tool use]",
  );
  expect(facts.end?.state).toBe("interrupted");
  expect(requests(facts)).toEqual(["fix it"]);
});

test("collectSession() finds what the user said when refusing a call", async () => {
  const refused =
    "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nNever run the tests, use bun.";
  const facts = await claude(
    "fix it",
    bash,
    [{ type: "tool_result", tool_use_id: "t1", content: refused, is_error: true }],
    said("All right."),
  );
  expect(facts.requests).toEqual([
    { text: "fix it", entryId: expect.any(String) },
    { text: "Never run the tests, use bun.", remark: true, entryId: expect.any(String) },
  ]);
  expect(facts.constraints.map((fact) => fact.text)).toEqual(["Never run the tests, use bun."]);
});

test("collectSession() finds what the user answered to a call's question", async () => {
  const content = 'User has answered your questions: "Which one?"="sqlite, never postgres".';
  const facts = await claude(
    "set it up",
    [{ type: "tool_use", id: "t1", name: "AskUserQuestion", input: { questions: [] } }],
    [{ type: "tool_result", tool_use_id: "t1", content }],
    said("All right."),
  );
  expect(facts.requests.map(({ text, remark }) => [text, remark])).toEqual([
    ["set it up", undefined],
    [content, true],
  ]);
  expect(facts.constraints).toHaveLength(1);
});

test("collectSession() takes an image without words for a request", async () => {
  const content = [{ type: "image", data: "AAAA", mimeType: "image/png" }];
  const image = { ...userEntry("c", "b"), message: { role: "user", content, timestamp: 1 } };
  const facts = await collectSession(await sessionWith(...ASKED, image));
  expect(requests(facts)).toEqual(["fix the login", "[image]"]);
  expect(facts.end).toMatchObject({ state: "unanswered", entryId: "c" });
});

test("collectSession() passes over what a rule made void", async () => {
  const content = [{ type: "text", text: "FORBIDDEN" }];
  const partial = { ...assistantEntry("d", "c", { content, stopReason: "aborted" }), discarded: true };
  const facts = await collectSession(
    await sessionWith(...ASKED, userEntry("c", "b", "and the logout"), partial),
  );
  expect(JSON.stringify(facts)).not.toContain("FORBIDDEN");
  expect(facts.end).toMatchObject({ state: "unanswered", entryId: "c" });
});

test("collectSession() tells the time of the last message of the work", async () => {
  const late = "2026-05-01T00:00:00.000Z";
  const facts = await collectSession(
    await sessionWith(
      ...ASKED,
      { ...userEntry("c", "b", handoffPrompt(undefined)), timestamp: late },
      { ...assistantEntry("d", "c"), timestamp: late },
      { type: "custom", id: "e", parentId: "d", timestamp: late, customType: "exit", data: {} },
    ),
  );
  expect(facts).toMatchObject({ counts: { messages: 2 }, lastTimestamp: ASKED[1].timestamp });
});
