import { expect, test } from "bun:test";
import fc from "fast-check";
import { assistantEntry, chunksOf, HEADER, jsonl, sessionOf, userEntry } from "../testing/session-text.ts";
import type { Entry, SessionHeader } from "./entry.ts";
import { streamSession } from "./stream.ts";

interface Streamed {
  readonly header: SessionHeader | undefined;
  readonly entries: readonly Entry[];
  readonly lines: readonly string[];
  readonly problems: readonly string[];
}

async function streamed(text: string | Uint8Array): Promise<Streamed> {
  let header: SessionHeader | undefined;
  const entries: Entry[] = [];
  const lines: string[] = [];
  const problems: string[] = [];
  for await (const item of streamSession(chunksOf(text, 100))) {
    if (item.kind === "header") header = item.header;
    else if (item.kind === "problem") problems.push(`${item.problem.line} ${item.problem.code}`);
    else {
      entries.push(item.entry);
      lines.push(new TextDecoder().decode(item.lineBytes()));
    }
  }
  return { header, entries, lines, problems };
}

test("streamSession() finds what is wrong with each line", async () => {
  const text = jsonl(
    HEADER,
    userEntry("00000001", "gone"),
    "nonsense",
    { ...userEntry("00000002", "00000001"), timestamp: "yesterday" },
    { type: "compaction", id: "00000003", parentId: "00000002", timestamp: HEADER.timestamp },
    { ...userEntry("00000002", "00000003"), id: "00000002" },
  );
  const bytes = new Uint8Array([...new TextEncoder().encode(text), 0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
  expect((await streamed(bytes)).problems).toEqual([
    "3 not-json",
    "4 no-timestamp",
    "5 missing-field",
    "7 bad-utf8",
    "7 no-type",
    "2 missing-parent",
    "6 reused-id",
  ]);
});

test("streamSession() finds each circle of parents once, and none where there is none", async () => {
  const problemsOf = async (...parents: readonly (string | null)[]) => {
    const entries = parents.map((parent, index) => userEntry(`0000000${index + 1}`, parent));
    return (await streamed(jsonl(HEADER, ...entries))).problems;
  };
  expect(await problemsOf("00000001")).toEqual(["2 later-parent", "2 cycle"]);
  expect(await problemsOf("00000003", "00000001", "00000002", "00000003")).toEqual([
    "2 later-parent",
    "2 cycle",
  ]);
  expect(await problemsOf("00000002", null, "00000004", null)).toEqual(["2 later-parent", "4 later-parent"]);
  expect(await problemsOf("00000002", "00000002", "00000004", "00000003")).toEqual([
    "2 later-parent",
    "3 later-parent",
    "4 later-parent",
    "2 cycle",
    "4 cycle",
  ]);
});

test("streamSession() says that a file without any line to use is empty", async () => {
  for (const text of ["", "\n", "x\n"]) expect((await streamed(text)).problems.at(-1)).toBe("0 empty-file");
});

/** Lines of every kind, in any order and any number, some of them broken. */
const anyLine = fc.constantFrom<object | string>(
  HEADER,
  { ...HEADER, version: 1 },
  { ...HEADER, version: 2, id: undefined },
  { ...HEADER, version: 9 },
  { type: "title", v: 1, title: "t" },
  userEntry("0000000a", null),
  userEntry("0000000b", "0000000a"),
  userEntry("0000000c", "0000000d"),
  userEntry("0000000d", "0000000c"),
  userEntry("0000000e", "0000000e"),
  userEntry("0000000f", "gone"),
  assistantEntry("0000000b", "0000000b"),
  { ...userEntry("0000000a", null), id: undefined },
  { ...userEntry("0000000a", null), id: 7, parentId: undefined },
  { type: "odd", x: [1], timestamp: HEADER.timestamp },
  { type: "odd", id: "é\n", parentId: null, timestamp: HEADER.timestamp },
  {
    type: "compaction",
    id: "0000000a",
    parentId: null,
    summary: "s",
    firstKeptEntryIndex: 1,
    timestamp: HEADER.timestamp,
  },
  { type: "message", id: "00000010", parentId: null, message: null, timestamp: HEADER.timestamp },
  '{"type":"odd" , "id":"00000011",\t"parentId":null,"timestamp":"2026-01-02T03:04:05Z"}',
  '{"type":"od',
  '{"type":"odd","id":"00000012","parentId":null,"x":"\\x"}',
  userEntry("00000015", "00000012"),
  '{"type":"message","id":"00000016","parentId":"0000000a","mess{"type":"message","id":"00000017","parentId":"00000016"}',
  '{"id":"00000018","parentId":"00000015","x":tru,"type":"odd"}',
  userEntry("00000017", "00000016"),
  `{"type":"odd","id":"00000013","parentId":null,"deep":${"[".repeat(1_001)}${"]".repeat(1_001)}}`,
  `{"type":"odd","id":"00000014","parentId":null,"deep":${"[".repeat(999)}${"]".repeat(999)},"timestamp":"2026-01-02T03:04:05Z"}`,
  "[]",
  "",
);

const text = fc
  .tuple(fc.array(anyLine, { maxLength: 10 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, cut]) =>
    jsonl(...lines)
      .replaceAll("\n", end)
      .slice(0, cut ? -1 : undefined),
  );

/** Told only by whoever parses every line; circles by the walk of a branch too. */
const STREAM_ONLY = /(no-timestamp|bad-utf8|first-kept-missing|cycle)$/;

function placeOf({ id, parentId, type }: Entry): readonly unknown[] {
  return [id, parentId, type];
}

test("streamSession() finds the same header, entries, lines and problems as opening the file does", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      const stream = await streamed(content);
      if (stream.problems.at(-1)?.endsWith("empty-file")) {
        await expect(sessionOf(content)).rejects.toMatchObject({ kind: "input" });
        return;
      }
      // Opening starts at what it recognises; what is none of the known formats is no session.
      const session = await sessionOf(content).catch(() => undefined);
      if (session === undefined) return;
      const entries = [...session.entries()];
      expect(stream.header).toEqual(session.header);
      const problems = session.problems.map(({ line, code }) => `${line} ${code}`);
      expect(stream.problems.filter((problem) => !STREAM_ONLY.test(problem)).sort()).toEqual(problems.sort());
      // A header that stands later than an entry tells version and time too late for the stream.
      if (problems.some((problem) => /(header-not-first|no-header)$/.test(problem))) {
        expect(stream.entries.map(placeOf)).toEqual(entries.map(placeOf));
        return;
      }
      expect(stream.entries).toEqual(entries);
      const lines = entries.map((_, at) => new TextDecoder().decode(session.lineAt(at)));
      expect(stream.lines).toEqual(lines);
    }),
    { numRuns: 500 },
  );
});

test("streamSession() waits for a header no longer than a thousand lines", async () => {
  const entries = Array.from({ length: 5_000 }, (_, at) =>
    userEntry(`e${at}`, at === 0 ? null : `e${at - 1}`),
  );
  const text = jsonl(...entries, HEADER);
  const found: string[] = [];
  for await (const item of streamSession(chunksOf(text, 1_000)))
    found.push(item.kind === "problem" ? item.problem.code : item.kind);
  expect(found.indexOf("header")).toBe(1_001);
  expect(found.filter((what) => what !== "entry")).toEqual(["no-header", "header", "extra-header"]);
  const session = await sessionOf(text);
  const { header, entries: streamedEntries } = await streamed(text);
  expect([header, streamedEntries]).toEqual([session.header, [...session.entries()]]);
});

test("streamSession() gives lines that read as the same entries, sound or not", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      const { header, entries, lines } = await streamed(content);
      if (header === undefined) return;
      const again = await streamed(jsonl(header, ...lines));
      expect(again.entries.map(({ id, type }) => [id, type])).toEqual(
        entries.map(({ id, type }) => [id, type]),
      );
    }),
  );
});

test("streamSession() says which calls have no result, which results no call, and which compaction keeps nothing known", async () => {
  const call = (id: string, parentId: string, callId: string, more: object = {}) =>
    assistantEntry(id, parentId, {
      content: [{ type: "toolCall", id: callId, name: "bash", arguments: {} }],
      ...more,
    });
  const result = (id: string, parentId: string, toolCallId: string) => ({
    type: "message",
    id,
    parentId,
    timestamp: HEADER.timestamp,
    message: { role: "toolResult", toolCallId, toolName: "bash", content: [], isError: false, timestamp: 1 },
  });
  const compaction = (id: string, parentId: string, firstKeptEntryId: string) => ({
    type: "compaction",
    id,
    parentId,
    timestamp: HEADER.timestamp,
    summary: "s",
    firstKeptEntryId,
    tokensBefore: 1,
  });
  const { problems } = await streamed(
    jsonl(
      HEADER,
      call("00000001", "00000000", "reused"),
      result("00000002", "00000001", "reused"),
      call("00000003", "00000002", "reused"),
      call("00000004", "00000003", "cut", { stopReason: "aborted" }),
      result("00000005", "00000004", "none"),
      compaction("00000006", "00000005", "00000007"),
      compaction("00000007", "00000006", "gone"),
    ).replace('"parentId":"00000000"', '"parentId":null'),
  );
  expect(problems).toEqual(["6 result-without-call", "4 call-without-result", "8 first-kept-missing"]);
});
