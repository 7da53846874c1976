// The same failure gives the same exit code in every output mode, and a result record says why.

import { describe, expect, test } from "bun:test";
import { parseRecords } from "../testing/event-schema.ts";
import { chunk, errorAnswer, textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import type { ScriptedAnswer } from "../testing/fake-ollama.ts";
import { type RunOptions, type RunPlace, runPlace } from "../testing/run-command.ts";

const OUTPUTS = ["text", "live", "json", "jsonl", "session"] as const;

interface Failure {
  readonly name: string;
  readonly code: number;
  readonly kind: string;
  readonly answers?: readonly ScriptedAnswer[];
  readonly args?: readonly string[];
  readonly options?: RunOptions;
  readonly prepare?: (place: RunPlace) => void;
}

const CUT = { lines: [chunk({ content: "half" })], ending: "cut" } as const;
const denied = toolAnswer({ name: "write", arguments: { path: "a", content: "b" } });
const look = toolAnswer({ name: "ls", arguments: {} });

const FAILURES: readonly Failure[] = [
  { name: "an unknown model", code: 66, kind: "notFound", options: { model: "nope" } },
  {
    name: "an unreachable server",
    code: 69,
    kind: "unavailable",
    args: ["--retries", "0"],
    options: { host: "127.0.0.1:1" },
  },
  { name: "401", code: 1, kind: "failed", answers: [errorAnswer(401, "unauthorized")] },
  { name: "404", code: 66, kind: "notFound", answers: [errorAnswer(404, "model 'fake' not found")] },
  {
    name: "429 until the retries are spent",
    code: 69,
    kind: "unavailable",
    answers: [errorAnswer(429, "too many"), errorAnswer(429, "too many")],
    args: ["--retries", "1"],
  },
  {
    name: "500",
    code: 69,
    kind: "unavailable",
    answers: [errorAnswer(500, "oops")],
    args: ["--retries", "0"],
  },
  {
    name: "an error in mid-stream",
    code: 69,
    kind: "unavailable",
    answers: [{ lines: [chunk({ content: "half" }), '{"error":"runner gone"}\n'] }],
    args: ["--retries", "0"],
  },
  { name: "a cut stream", code: 69, kind: "unavailable", answers: [CUT], args: ["--retries", "0"] },
  {
    name: "an answer that is not as the schema wants",
    code: 1,
    kind: "failed",
    answers: [textAnswer("prose"), textAnswer("more prose")],
    args: ["--schema", "s.json"],
    prepare: ({ dir }) => dir.write("s.json", '{"type":"object"}'),
  },
  {
    name: "a broken schema",
    code: 65,
    kind: "input",
    args: ["--schema", "s.json"],
    prepare: ({ dir }) => dir.write("s.json", '{"type":"nothing"}'),
  },
  { name: "the limit of turns", code: 6, kind: "limit", answers: [look, look], args: ["--max-turns", "1"] },
  { name: "a denial", code: 77, kind: "denied", answers: [denied], args: ["--fail-on-denied"] },
  { name: "an empty answer, twice", code: 5, kind: "cancelled", answers: [textAnswer(""), textAnswer("")] },
  { name: "a session that is not there", code: 66, kind: "notFound", args: ["--session", "no/such.jsonl"] },
  {
    name: "a session that is none",
    code: 65,
    kind: "input",
    args: ["--session", "s.jsonl"],
    prepare: ({ dir }) => dir.write("s.jsonl", "this is no session\n"),
  },
  {
    name: "broken settings",
    code: 78,
    kind: "settings",
    args: ["--config", "c.jsonc"],
    prepare: ({ dir }) => dir.write("c.jsonc", '{ "numCtx": "many" }'),
  },
];

for (const failure of FAILURES) {
  describe(`run gives ${failure.code} for ${failure.name}`, () => {
    for (const output of OUTPUTS) {
      test(`with --output ${output}`, async () => {
        await using place = await runPlace(failure.answers);
        failure.prepare?.(place);
        const args = ["--output", output, "--result", "result.json", ...(failure.args ?? []), "hi"];
        const result = await place.run(args, failure.options);
        expect(result.code).toBe(failure.code);
        expect(result.stderr).toContain("agent: ");
        const record = await Bun.file(`${place.dir.path}/result.json`).json();
        expect(record).toMatchObject({ ok: false, exitCode: failure.code, error: { kind: failure.kind } });
        if (output === "json")
          expect(JSON.parse(result.stdout)).toEqual({ ...record, durationMs: expect.any(Number) });
        if (output === "jsonl") expect(parseRecords(result.stdout).at(-1)).toEqual(record);
        if (output === "text") expect(result.stdout).toBe("");
      });
    }
  });
}
