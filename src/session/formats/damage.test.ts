import { expect, test } from "bun:test";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { convertAs, fixtureBytes } from "../../testing/conversion.ts";
import type { Entry } from "../entry.ts";
import type { ForeignFormatName } from "./format.ts";
import { recogniseFormat } from "./recognise.ts";

const LINES: Readonly<Record<string, ForeignFormatName>> = {
  "claude-basic.jsonl": "claude",
  "claude-no-prompts.jsonl": "claude",
  "claude-subagents.jsonl": "claude",
  "codex-v2.jsonl": "codex-v2",
  "codex-v3.jsonl": "codex-v3",
  "gemini.jsonl": "gemini",
  "copilot.jsonl": "copilot",
};

const DOCUMENTS: Readonly<Record<string, ForeignFormatName>> = {
  "codex-v1.json": "codex-v1",
  "codex-v1-chat.json": "codex-v1",
  "opencode.json": "opencode",
  "gemini.json": "gemini",
};

/** What a person would miss: texts of messages. */
function texts(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => {
    if (entry.type === "compaction") return [entry.summary];
    if (entry.type === "custom_message") return [JSON.stringify(entry.content)];
    if (entry.type !== "message" || !("content" in entry.message)) return [];
    const { content } = entry.message;
    return typeof content === "string" ? [content] : content.map((block) => JSON.stringify(block));
  });
}

const linesOf = (name: string) => Buffer.from(fixtureBytes(name)).toString().trimEnd().split("\n");
const convertLines = (name: string, lines: readonly string[]) =>
  convertAs(LINES[name] ?? "claude", Buffer.from(lines.join("\n")));

const anyLines = fc.constantFrom(...Object.keys(LINES));
const junk = fc.oneof(
  fc.constantFrom(
    "",
    "\0\0\0\0",
    "}",
    "{",
    '{"type":',
    "null",
    "[]",
    '"x"',
    "{}",
    '{"type":7}',
    "\ufffd\ufffd",
    "not json {",
  ),
  fc.string({ maxLength: 40 }).map((text) => text.replaceAll("\n", " ")),
);

test("conversion keeps every message when lines of junk are put anywhere", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyLines,
      fc.array(fc.tuple(fc.nat(), junk), { maxLength: 6 }),
      async (name, inserts) => {
        const lines = linesOf(name);
        const whole = texts((await convertLines(name, lines)).entries);
        const damaged = [...lines];
        for (const [at, text] of inserts) damaged.splice(at % (damaged.length + 1), 0, text);
        expect(texts((await convertLines(name, damaged)).entries)).toEqual(whole);
      },
    ),
    { numRuns: 150 },
  );
});

test("conversion keeps every message when lines are joined, spread over lines, or sown with NUL bytes", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyLines,
      fc.infiniteStream(fc.constantFrom("keep", "join", "spread", "nul", "crlf")),
      async (name, ways) => {
        const lines = linesOf(name);
        const whole = texts((await convertLines(name, lines)).entries);
        const text = lines
          .map((line) => {
            const way = ways.next().value;
            if (way === "join") return line;
            if (way === "spread") return `\n${JSON.stringify(JSON.parse(line), null, 2)}\n`;
            if (way === "nul") return `\0${line}\0\0\n`;
            return way === "crlf" ? `${line}\r\n` : `${line}\n`;
          })
          .join("");
        const { entries } = await convertAs(LINES[name] ?? "claude", Buffer.from(text));
        expect(texts(entries)).toEqual(whole);
      },
    ),
    { numRuns: 100 },
  );
});

test("conversion of a file that is cut anywhere gives what its whole lines give", async () => {
  await fc.assert(
    fc.asyncProperty(anyLines, fc.nat(), async (name, at) => {
      const bytes = fixtureBytes(name);
      const cut = bytes.subarray(0, at % (bytes.length + 1));
      const end = cut.lastIndexOf(0x0a) + 1;
      const format = LINES[name] ?? "claude";
      const [ofCut, ofLines] = [await convertAs(format, cut), await convertAs(format, cut.subarray(0, end))];
      const rest = cut.subarray(end);
      const lastIsWhole = bytes[cut.length] === 0x0a && rest.length > 0;
      if (!lastIsWhole) expect(texts(ofCut.entries)).toEqual(texts(ofLines.entries));
      expect(ofCut.report.problems.length).toBe(lastIsWhole || rest.length === 0 ? 0 : 1);
    }),
    { numRuns: 200 },
  );
});

test("conversion loses one line where a torn line is fused with the next", async () => {
  const shape = (line: string | undefined) =>
    Object.keys(JSON.parse(line ?? "{}"))
      .slice(0, 2)
      .join();
  await fc.assert(
    fc.asyncProperty(anyLines, fc.nat(), fc.nat(), async (name, at, cut) => {
      const lines = linesOf(name);
      const index = 1 + (at % (lines.length - 2));
      const [torn = "", next = ""] = lines.slice(index, index + 2);
      fc.pre(lines.slice(0, index).some((line) => shape(line) === shape(next)));
      const fused = torn.slice(0, 1 + (cut % (torn.length - 1))) + next;
      const { entries } = await convertLines(name, lines.toSpliced(index, 2, fused));
      const without = await convertLines(name, lines.toSpliced(index, 1));
      expect(texts(entries)).toEqual(texts(without.entries));
    }),
    { numRuns: 200 },
  );
});

const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1e308, "", "x", [], {}, [[]], [null], { type: "text" }, [{ type: 7 }]),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Replaces the value at a random path. */
function withWrongType(target: unknown, path: readonly number[], wrong: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof target !== "object" || target === null) return wrong;
  const keys = Object.keys(target);
  const key = keys[first % Math.max(1, keys.length)];
  if (key === undefined) return wrong;
  const inner = withWrongType(Reflect.get(target, key), rest, wrong);
  return Array.isArray(target) ? target.with(Number(key), inner) : { ...target, [key]: inner };
}

const path = fc.array(fc.nat(30), { minLength: 1, maxLength: 6 });

test("conversion never throws on values of wrong types, and reads the object of every line", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyLines,
      fc.array(fc.tuple(fc.nat(), path, value), { maxLength: 5 }),
      async (name, changes) => {
        const lines = linesOf(name);
        for (const [at, where, wrong] of changes) {
          const index = at % lines.length;
          lines[index] = JSON.stringify(withWrongType(JSON.parse(lines[index] ?? "{}"), where, wrong)) ?? "";
        }
        const { report } = await convertLines(name, lines);
        const objects = lines.filter((line) => line.startsWith("{")).length;
        expect(report.objects).toBe(objects);
      },
    ),
    { numRuns: 300 },
  );
});

test("conversion of documents never throws on wrong types, and of a cut one gives a beginning of the whole", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(DOCUMENTS)),
      fc.nat(),
      path,
      value,
      async (name, at, where, wrong) => {
        const format = DOCUMENTS[name] ?? "opencode";
        const bytes = fixtureBytes(name);
        const changed = withWrongType(JSON.parse(Buffer.from(bytes).toString()), where, wrong);
        await convertAs(format, Buffer.from(JSON.stringify(changed) ?? ""));
        const cut = texts((await convertAs(format, bytes.subarray(0, at % bytes.length))).entries);
        const whole = texts((await convertAs(format, bytes)).entries);
        expect(whole.slice(0, Math.max(0, cut.length - 6))).toEqual(
          cut.slice(0, Math.max(0, cut.length - 6)),
        );
      },
    ),
    { numRuns: 200 },
  );
});

test("recognition never throws, whatever bytes come", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(LINES)),
      fc.array(fc.tuple(fc.nat(), fc.nat(255))),
      (name, changes) => {
        const bytes = Uint8Array.from(fixtureBytes(name));
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        expect(["session", "unknown"]).toContain(recogniseFormat(bytes).kind);
      },
    ),
  );
});

test("a converted session is the same at every reading", async () => {
  for (const [name, format] of Object.entries({ ...LINES, ...DOCUMENTS })) {
    const bytes = fixtureBytes(name);
    const [first, second] = [await convertAs(format, bytes), await convertAs(format, bytes)];
    expect(second).toEqual(first);
    const ids = first.entries.map((entry) => entry.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9a-f]{8}$/.test(id))).toBe(true);
  }
});
