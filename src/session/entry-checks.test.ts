// What a check says of calls and results is what the next request does with them.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { toModelMessages } from "../model/context.ts";
import { toolCallsOf } from "../model/messages.ts";
import {
  assistantEntry,
  chunksOf,
  HEADER,
  jsonl,
  sessionOf,
  timeAt,
  userEntry,
} from "../testing/session-text.ts";
import { checkSession } from "./check.ts";
import { buildSessionContext } from "./context.ts";

const idAt = (at: number): string => `0000${(at + 1).toString(16).padStart(4, "0")}`;

/** A line of the file. Its calls, or its result, carry the line's number as name of their tool. */
interface Piece {
  readonly kind: "user" | "result" | "answer";
  readonly ids: readonly string[];
  readonly stopReason: string;
}

const ID = fc.constantFrom("a", "b", "");
const PIECE: fc.Arbitrary<Piece> = fc.record({
  kind: fc.constantFrom("user", "result", "result", "answer", "answer"),
  ids: fc.array(ID, { minLength: 1, maxLength: 3 }),
  stopReason: fc.constantFrom("stop", "toolUse", "aborted", "error"),
});

const call = (id: string, name: string) => ({ type: "toolCall", id, name, arguments: {} });

function entryOf({ kind, ids, stopReason }: Piece, at: number, parentId: string | null): object {
  const id = idAt(at);
  if (kind === "user") return userEntry(id, parentId);
  if (kind === "answer")
    return assistantEntry(id, parentId, {
      content: ids.map((each) => call(each, `line${at + 2}`)),
      stopReason,
    });
  const message = {
    role: "toolResult",
    toolCallId: ids[0],
    toolName: `line${at + 2}`,
    content: [],
    timestamp: 1,
  };
  return { type: "message", id, parentId, timestamp: timeAt(3), message };
}

const fileOf = (pieces: readonly Piece[]): string =>
  jsonl(HEADER, ...pieces.map((piece, at) => entryOf(piece, at, at === 0 ? null : idAt(at - 1))));

async function pairProblems(text: string): Promise<readonly string[]> {
  const { problems } = await checkSession(chunksOf(text), "s");
  return problems.map(({ line, code }) => `${line} ${code}`).sort();
}

/** What a request does with the calls and results of a session that has one branch, in the words of a check. */
async function requestSays(text: string, pieces: readonly Piece[]): Promise<readonly string[]> {
  const sent = toModelMessages(buildSessionContext(await sessionOf(text)).messages);
  const results = sent.filter((message) => message.role === "toolResult");
  const madeUp = results.filter(({ content }) => content.length > 0).map(({ toolName }) => toolName);
  const left = pieces.flatMap(({ kind }, at) => (kind === "result" ? [`line${at + 2}`] : []));
  const stays = new Set(results.map(({ toolName }) => toolName));
  const cut = new Set(
    sent.flatMap((message) =>
      message.role === "assistant" && message.stopReason === "aborted"
        ? toolCallsOf(message).map(({ name }) => name)
        : [],
    ),
  );
  return [
    ...madeUp.filter((name) => !cut.has(name)).map((name) => `${name.slice(4)} call-without-result`),
    ...left.filter((name) => !stays.has(name)).map((name) => `${name.slice(4)} result-without-call`),
  ].sort();
}

test("checkSession() says of calls and results what the next request does with them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(PIECE, { minLength: 1, maxLength: 14 }), async (pieces) => {
      // Answers that failed are not sent, and nothing is said of them: a test of their own.
      const sent = pieces.filter(({ kind, stopReason }) => kind !== "answer" || stopReason !== "error");
      if (sent.length === 0) return;
      const text = fileOf(sent);
      expect(await pairProblems(text)).toEqual(await requestSays(text, sent));
    }),
    { numRuns: 400 },
  );
});

test("checkSession() says nothing of answers that failed, nor of their results", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(PIECE, { minLength: 1, maxLength: 14 }), async (pieces) => {
      const said = await pairProblems(fileOf(pieces));
      const done = await requestSays(fileOf(pieces), pieces);
      expect(said.filter((each) => !done.includes(each))).toEqual([]);
      const isOfCall = (each: string) => each.endsWith("call-without-result");
      expect(done.filter((each) => isOfCall(each) && !said.includes(each))).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

const answer = (stopReason: string): Piece => ({ kind: "answer", ids: ["a", "b"], stopReason });
const result = (id: string): Piece => ({ kind: "result", ids: [id], stopReason: "" });

test.each(["aborted", "error"])(
  "checkSession() takes the calls of an answer that was cut off (%s) with results and without",
  async (stopReason) => {
    for (const results of [[], [result("a")], [result("a"), result("b")]])
      expect(await pairProblems(fileOf([answer(stopReason), ...results]))).toEqual([]);
    const twice = [answer(stopReason), result("a"), result("a")];
    expect(await pairProblems(fileOf(twice))).toEqual(["4 result-without-call"]);
  },
);

test("checkSession() takes a second result of a call where it stands on a branch of its own", async () => {
  const asks = assistantEntry("00000001", null, { content: [call("a", "t")], stopReason: "toolUse" });
  const answered = (id: string) => ({ ...entryOf(result("a"), 0, "00000001"), id });
  const text = jsonl(HEADER, asks, answered("00000002"), answered("00000003"));
  expect(await pairProblems(text)).toEqual([]);
  const more = { ...entryOf(result("a"), 0, "00000004"), id: "00000005" };
  const late = text + jsonl(userEntry("00000004", "00000003"), more);
  expect(await pairProblems(late)).toEqual(["6 result-without-call"]);
});
