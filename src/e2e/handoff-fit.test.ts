// A session that is many times the model's window: no request exceeds it, every part of the session is in some request,
// and what is decided early comes through to the document.

import { expect, test } from "bun:test";
import { answerOf } from "../testing/fake-answers.ts";
import type { FakeRequest } from "../testing/fake-ollama.ts";
import { handoffPlace, WHOLE_DOCUMENT } from "../testing/handoff-command.ts";
import { assistantEntry, HEADER, jsonl, userEntry } from "../testing/session-text.ts";

const WINDOW = 4096;
const TURNS = 60;

/** Every turn has a mark of its own; the first one decides something. */
function longSession(): string {
  const lines: object[] = [HEADER];
  let parent: string | null = null;
  for (let turn = 0; turn < TURNS; turn++) {
    const [ask, say] = [`u${turn}`, `a${turn}`];
    lines.push(userEntry(ask, parent, `MARK-${turn}-ASKED ${"please go on with it. ".repeat(20)}`));
    const decided = turn === 0 ? "DECISION-KEEP-SQLITE " : "";
    const text = `${decided}MARK-${turn}-SAID ${"done as you said. ".repeat(20)}`;
    lines.push(assistantEntry(say, ask, { content: [{ type: "text", text }] }));
    parent = say;
  }
  return jsonl(...lines);
}

/** A model that summarises by repeating the marks that it was shown; asked for the document, it writes one. */
function echo(request: FakeRequest) {
  const seen = JSON.stringify(request.body["messages"]);
  const decision = seen.includes("DECISION-KEEP-SQLITE") ? "DECISION-KEEP-SQLITE" : "";
  const document = WHOLE_DOCUMENT.replace("## Key Decisions", `## Key Decisions\n- ${decision}`);
  return answerOf([
    {
      content: seen.includes("Write a handoff document for this session") ? document : `Summary. ${decision}`,
    },
  ]);
}

test("handoff reduces a session of many windows in steps, leaves no part out, and says so", async () => {
  const answers = Array.from({ length: 40 }, () => echo);
  await using place = await handoffPlace(longSession(), answers, {
    models: [{ name: "fake", contextLength: WINDOW }],
    window: { defaultContext: WINDOW, maxContext: WINDOW },
  });
  const result = await place.run(["handoff", "old.jsonl", ...place.model, "--num-ctx", String(WINDOW)]);
  expect(result.code).toBe(0);
  expect(result.stdout).toContain("DECISION-KEEP-SQLITE");
  const chats = place.server.chats().map((chat) => JSON.stringify(chat.body["messages"]));
  expect(chats.filter((text) => Math.ceil(text.length / 4) > WINDOW)).toEqual([]);
  const everything = chats.join("\n");
  const marks = Array.from({ length: TURNS }, (_, turn) => [
    `MARK-${turn}-ASKED`,
    `MARK-${turn}-SAID`,
  ]).flat();
  expect(marks.filter((mark) => !everything.includes(mark))).toEqual([]);
  expect(result.stderr).toMatch(/summarising its older part\n/);
  expect(result.stderr).toMatch(/the older part of the session was summarised in \d+ pieces\n/);
  expect(place.added().map((entry) => entry["type"])).toEqual(["message", "message"]);
});

test("handoff sends the summary of the last compaction, and nothing of what it covers", async () => {
  await using place = await handoffPlace("compacted", [echo]);
  await place.run(["handoff", "old.jsonl", ...place.model]);
  const sent = JSON.stringify(place.server.chats()[0]?.body["messages"]);
  expect(sent).toContain("the buffer moves, so slices cannot be kept");
  expect(sent).toContain("Make clippy pass, then write the benchmark with the corpus.");
  expect(sent).not.toContain("Write a streaming CSV parser in Rust. No unsafe code.");
});
