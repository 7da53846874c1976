import { expect, test } from "bun:test";
import { Buffer } from "node:buffer";
import { fixtureBytes } from "../../testing/conversion.ts";
import { recogniseFormat } from "./recognise.ts";

const recognise = (text: string) => recogniseFormat(Buffer.from(text));
const session = (format: string) => ({ kind: "session", format }) as ReturnType<typeof recognise>;
const unknown = (seen: string) => ({ kind: "unknown", seen }) as ReturnType<typeof recognise>;

test("recogniseFormat() knows every format by its content", () => {
  const rows: Readonly<Record<string, string>> = {
    "claude-basic.jsonl": "claude",
    "claude-only-errors.jsonl": "claude",
    "claude-only-snapshot.jsonl": "claude",
    "claude-agent-file.jsonl": "claude",
    "codex-v1.json": "codex-v1",
    "codex-v1-chat.json": "codex-v1",
    "codex-v2.jsonl": "codex-v2",
    "codex-v3.jsonl": "codex-v3",
    "codex-v3-only-meta.jsonl": "codex-v3",
    "codex-v3-pretty.jsonl": "codex-v3",
    "opencode.json": "opencode",
    "gemini.json": "gemini",
    "gemini.jsonl": "gemini",
    "copilot.jsonl": "copilot",
  };
  const seen = Object.keys(rows).map((name) => [name, recogniseFormat(fixtureBytes(name))]);
  expect(Object.fromEntries(seen)).toEqual(
    Object.fromEntries(Object.entries(rows).map(([name, format]) => [name, session(format)])),
  );
});

test("recogniseFormat() tells the versions of pi apart, with and without a header", () => {
  const header = '{"type":"session","id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/srv"}';
  const entry =
    '{"type":"message","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hi"}}';
  const withId = entry.replace("{", '{"id":"00000001","parentId":null,');
  expect([
    recognise(header),
    recognise(header.replace('"id"', '"version":2,"id"')),
    recognise(header.replace('"id"', '"version":3,"id"')),
    recognise(`{"type":"title","v":1,"title":"t","pad":"  "}\n${header}`),
    recognise(`${withId}\n${header.replace('"id"', '"version":2,"id"')}`),
    recognise(withId),
    recognise(entry),
  ]).toEqual(["pi-v1", "pi-v2", "pi-v3", "pi-v1", "pi-v2", "pi-v3", "pi-v1"].map(session));
});

test("recogniseFormat() names the look-alikes that lie beside sessions", () => {
  expect([
    recogniseFormat(fixtureBytes("claude-history.jsonl")),
    recogniseFormat(fixtureBytes("codex-history.jsonl")),
    recogniseFormat(fixtureBytes("codex-session-index.jsonl")),
    recognise('{"id":"ses_1","projectID":"p","directory":"/srv","title":"t"}'),
  ]).toEqual([
    unknown("Claude Code's prompt history (history.jsonl), not a session"),
    unknown("Codex's prompt history (history.jsonl), not a session"),
    unknown("Codex's list of sessions (session_index.jsonl), not a session"),
    unknown("OpenCode's record of a session, whose messages lie in other files (--from opencode reads them)"),
  ]);
});

test("recogniseFormat() says what a file of no known format begins with", () => {
  expect([
    recognise(""),
    recognise(" \n\n"),
    recognise("[1, 2]"),
    recognise("# Notes\n\nBuy bread."),
    recognise('{"name": "kettle", "version": 3}'),
    recogniseFormat(Uint8Array.of(0x89, 0x50, 0, 1, 2, 3, 0xff)),
    recognise(`SQLite format 3\0\u0001\n{"type":"session_meta","payload":{"id":"s"}}\n`),
  ]).toEqual([
    unknown("empty"),
    unknown("white space only"),
    unknown("a JSON array"),
    unknown('text that begins "# Notes\\n\\nBuy bread."'),
    unknown('JSON objects with the members "name", "version"'),
    unknown("bytes that are not text"),
    unknown(
      "an SQLite database (OpenCode writes a session of one into a file: opencode export <id> > session.json)",
    ),
  ]);
});

test("recogniseFormat() does not take prose that quotes JSON for a session", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `Line ${index} of a page about formats.`);
  lines[6] = '{"type":"session","version":3,"id":"s","cwd":"/srv"}';
  lines[9] = 'A header looks like {"type":"session","version":3,"id",…}.';
  expect(recognise(lines.join("\n")).kind).toBe("unknown");
});

test("recogniseFormat() sees through damage at the beginning", () => {
  const line = '{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message"}}';
  expect([
    recognise(`\ufeff${line}`),
    recognise(`\0\0\0\n${line}`),
    recognise(`Exporting session\n{\n  "timestamp": "x",\n  "type": "compacted",\n  "payload": {}\n}\n`),
    recognise(`{"timestamp":"2026-01-01T00:00:00Z","type":"sess\n${line}\n${line}`),
    recognise(`}}garbage{{\n${line}\n${line}`),
    recognise(`{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","base_instr`),
  ]).toEqual(Array.from({ length: 6 }, () => session("codex-v3")));
});

test("recogniseFormat() needs only the beginning of a first line of megabytes", () => {
  const start =
    '{"parentUuid":null,"isSidechain":false,"cwd":"/srv","sessionId":"s","type":"user","message":{"content":"';
  expect(recognise(start + "x".repeat(3_000_000))).toEqual(session("claude"));
  const document = '{"sessionId":"s","projectHash":"h","messages":[{"id":"1","type":"user","content":"';
  expect(recognise(document + "x".repeat(3_000_000))).toEqual(session("gemini"));
});

test("recogniseFormat() comes to an end with a quarter of a million blank lines", () => {
  const blank = "\n".repeat(262_000);
  expect(recognise(blank)).toEqual(unknown("white space only"));
  expect(recognise(`{"a":1}${blank}x`)).toEqual(unknown('JSON objects with the members "a"'));
  expect(recognise(`{"a":1}${blank}{"record_type":"state"}`)).toEqual(session("codex-v2"));
});
