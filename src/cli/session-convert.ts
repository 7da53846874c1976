// `agent session convert`: any known agent's session as our lines, on stdout or in a file. The source is streamed: its
// messages are not kept.

import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { AppError } from "../base/errors.ts";
import { jsonText } from "../base/well-formed.ts";
import { convertedLines } from "../session/formats/converted-lines.ts";
import type { ConversionReport, ConvertedLine } from "../session/formats/report.ts";
import { subagentFileOf } from "../session/formats/subagent-files.ts";
import { acquireLock } from "../session/lock.ts";
import { rewriteFile } from "../session/rewrite-file.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_OK } from "./exit.ts";
import { FROM_FLAG } from "./from-flag.ts";
import { outputFlag } from "./global-flags.ts";
import { intoPath } from "./into-path.ts";
import { renderConversion, renderProblems } from "./render-conversion.ts";
import { locateSession, type SessionPlace, sessionChunks } from "./session-arg.ts";

export const sessionConvertCommand: Command = {
  flags: [
    outputFlag(["jsonl", "json"], "lines of the session, or one document with its report"),
    FROM_FLAG,
    {
      name: "into",
      value: { kind: "text", placeholder: "<path>" },
      default: "stdout",
      help: "write this file instead: it appears whole and synced, or not at all",
    },
    {
      name: "subagents",
      value: { kind: "choice", choices: ["keep", "drop"] },
      default: "keep",
      help: "messages of subagents as custom entries, or only counted",
    },
  ],
  examples: [
    {
      line: "agent session convert ~/.claude/projects/-srv-app/5f0c.jsonl > session.jsonl",
      does: "a Claude Code session as lines that run and handoff take",
    },
    {
      line: "ssh ci cat rollout.jsonl | agent session convert - --into rollout.jsonl",
      does: "a Codex session from another machine",
    },
  ],
  exitCodes: [65, 66, 75],
  notes:
    "Read: pi and oh-my-pi (versions 1-3), Claude Code, Codex CLI (three generations), OpenCode exports, Gemini CLI, " +
    "Copilot CLI. What has no place in the new session is counted by kind on stderr.",
  run: convert,
};

async function convert(context: CommandContext): Promise<number> {
  const [name, ...others] = context.args;
  if (name === undefined || others.length > 0) {
    throw new AppError("usage", "session convert takes one session", {
      hint: "agent session convert --help shows examples.",
    });
  }
  const place = locateSession(context, name);
  const subagents = context.flags.text("subagents") === "drop" ? "drop" : "keep";
  const chunks = sessionChunks(context, place);
  const subagentFile = place.kind === "file" ? { subagentFile: subagentFileOf(place.path) } : {};
  const lines = convertedLines({ chunks, name, options: { subagents, ...subagentFile } });
  const report = await write(context, { place, lines });
  for (const line of [...renderConversion(report), ...renderProblems(report)]) context.io.notice(line);
  if (report.messages.total === 0) context.io.warning("the session holds no messages");
  return EXIT_OK;
}

interface Conversion {
  readonly place: SessionPlace;
  readonly lines: AsyncIterable<ConvertedLine>;
}

async function write(context: CommandContext, conversion: Conversion): Promise<ConversionReport> {
  const into = intoPath(context, "leave --into out");
  if (into !== undefined) return await writeInto(context, into, conversion);
  const taken = takeReport(conversion.lines);
  const asJson = context.flags.text("output") === "json";
  for await (const chunk of inBatches(asJson ? asDocument(taken) : asLines(taken.lines))) {
    await context.io.stdout.write(chunk);
    context.signal.throwIfAborted();
  }
  return taken.report();
}

/** A file that another process writes to is left alone, and so is the source. */
async function writeInto(
  context: CommandContext,
  path: string,
  { place, lines }: Conversion,
): Promise<ConversionReport> {
  const exists = fs.existsSync(path);
  if (exists && place.kind === "file" && fs.realpathSync(path) === fs.realpathSync(place.path)) {
    throw new AppError("usage", `--into: "${path}" is the session that is read`, {
      hint: "Give another path; move it over the old one when you have looked at it.",
    });
  }
  const owner = { pid: context.pid, hostname: context.hostname };
  // One lock for one file, whatever name leads to it.
  const held = exists ? fs.realpathSync(path) : path;
  const lock = exists ? await acquireLock(held, { owner, waitMs: 0, signal: context.signal }) : undefined;
  try {
    const taken = takeReport(lines);
    await rewriteFile(path, inBatches(asLines(taken.lines)));
    const report = taken.report();
    if (context.flags.text("output") === "json") {
      await context.io.stdout.write(`${jsonText({ ok: true, path, report })}\n`);
    }
    return report;
  } finally {
    lock?.release();
  }
}

interface Taken {
  readonly lines: AsyncIterable<Uint8Array>;
  /** Once the lines were read to their end. */
  report(): ConversionReport;
}

/** Keeps the report apart from the lines. No line at all is a failure, and told before anything stands in its place. */
function takeReport(items: AsyncIterable<ConvertedLine>): Taken {
  let report: ConversionReport | undefined;
  let any = false;
  async function* lines(): AsyncGenerator<Uint8Array, void> {
    for await (const item of items) {
      if (item.kind === "report") report = item.report;
      else {
        any = true;
        yield item.bytes;
      }
    }
    if (!any)
      throw new AppError("input", "Cannot convert the session: no line of it can be used", {
        hint: "agent session check <session> says what is wrong with each line.",
      });
  }
  return {
    lines: lines(),
    report() {
      if (report === undefined) throw new Error("a conversion ended without its report");
      return report;
    },
  };
}

const NEWLINE = Buffer.from("\n");

async function* asLines(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const line of lines) {
    yield line;
    yield NEWLINE;
  }
}

/** `{"header", "entries": [...], "report"}`, written as it comes. */
async function* asDocument(taken: Taken): AsyncGenerator<Uint8Array, void> {
  let before = '{"header":';
  for await (const line of taken.lines) {
    yield Buffer.from(before);
    yield line;
    before = before === '{"header":' ? ',"entries":[' : ",";
  }
  const noEntries = before === ',"entries":[';
  yield Buffer.from(`${noEntries ? before : ""}],"report":${jsonText(taken.report())}}\n`);
}

const BATCH_BYTES = 65_536;

/** Small pieces together, so that a line is not a write. */
async function* inBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let batch: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    batch.push(chunk);
    size += chunk.length;
    if (size < BATCH_BYTES) continue;
    yield Buffer.concat(batch);
    batch = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(batch);
}
