// The tool that searches file contents. Patterns come from a model and lines from anywhere, so matching is done by the
// matcher whose time is linear in the text.

import type { JsonObject } from "../base/json.ts";
import { booleanAt, numberAt, stringAt } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { diagnosePattern } from "../matcher/diagnose.ts";
import { StreamMatcher } from "../matcher/matcher.ts";
import { breather } from "./breather.ts";
import { defineTool, type ToolCall } from "./define.ts";
import { readAll, sniffContent } from "./files/content.ts";
import { ignoreRulesAbove } from "./files/ignore.ts";
import { FileError, kindOfPath, type Opened, openChildFile, openDirectory, openFile } from "./files/open.ts";
import { walk } from "./files/walk.ts";
import { displayPath, globMatcher } from "./find.ts";
import description from "./grep.md" with { type: "text" };
import { boundText, shortLine } from "./output.ts";
import { type Tool, type ToolResult, textResult } from "./tool.ts";
import { mayRead, readCheck, resolvePath, type Workspace } from "./workspace.ts";

const DEFAULT_LIMIT = 200;
/** Larger files are data. */
const MAX_FILE_BYTES = 20_000_000;
/** A longer line is data too; only its beginning is searched. */
const MAX_LINE_CHARS = 100_000;
/** Signals are let in this often at most. */
const LINES_A_BREATH = 1_000;

export function grepTool(workspace: Workspace): Tool {
  return defineTool({
    name: "grep",
    description,
    parameters: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1, description: "regular expression" },
        path: { type: "string", description: "directory or file; default: the working directory" },
        glob: { type: "string", description: "only files that match, such as *.ts" },
        ignoreCase: { type: "boolean" },
        literal: { type: "boolean", description: "take the pattern as plain text" },
        context: { type: "integer", minimum: 0, maximum: 20, description: "lines before and after" },
        limit: { type: "integer", minimum: 1, description: "most matching lines; default 200" },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    readOnly: true,
    doing: (args) => `search ${stringAt(args, "path") ?? "."}`,
    run: async (args, call) => {
      const path = resolvePath(workspace, stringAt(args, "path") ?? ".");
      const search = buildSearch(args, call);
      if (kindOfPath(path) === "file") {
        using file = openFile(path, readCheck(workspace));
        await searchFile(file, displayPath(workspace, file.path), search);
      } else await searchTree(path, search, workspace);
      return renderSearch(search, workspace);
    },
  });
}

interface Search {
  readonly matcher: StreamMatcher;
  readonly accepts: (path: string) => boolean;
  readonly context: number;
  readonly limit: number;
  readonly lines: string[];
  readonly counts: { matches: number; files: number; skipped: number; full: boolean };
  readonly breathe: () => Promise<void>;
  readonly signal: AbortSignal;
}

function buildSearch(args: JsonObject, { signal }: ToolCall): Search {
  const given = stringAt(args, "pattern") ?? "";
  const pattern = booleanAt(args, "literal") === true ? escapeRegExp(given) : given;
  const flags = booleanAt(args, "ignoreCase") === true ? "i" : "";
  const diagnosis = diagnosePattern(pattern, flags);
  if (diagnosis.kind !== "usable")
    throw new FileError(`the pattern is no regular expression: ${diagnosis.message}`);
  const glob = stringAt(args, "glob");
  return {
    matcher: new StreamMatcher([{ id: "grep", patterns: [pattern], flags }]),
    accepts: glob === undefined ? () => true : globMatcher(glob),
    context: numberAt(args, "context") ?? 0,
    limit: numberAt(args, "limit") ?? DEFAULT_LIMIT,
    lines: [],
    counts: { matches: 0, files: 0, skipped: 0, full: false },
    breathe: breather(),
    signal,
  };
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

async function searchTree(path: string, search: Search, workspace: Workspace): Promise<void> {
  using directory = openDirectory(path, readCheck(workspace));
  const readable = mayRead(workspace);
  const options = { ignored: ignoreRulesAbove(directory.path), mayEnter: readable, signal: search.signal };
  for (const entry of walk(directory, options)) {
    await search.breathe();
    if (search.counts.full) return;
    if (entry.kind !== "file" || !search.accepts(entry.path.slice(directory.path.length + 1))) continue;
    if (!readable(entry.path)) {
      search.counts.skipped++;
      continue;
    }
    try {
      using file = openChildFile(entry.parent, entry.name);
      if (file !== undefined) await searchFile(file, displayPath(workspace, entry.path), search);
    } catch {
      search.counts.skipped++;
    }
  }
}

async function searchFile(file: Opened, shown: string, search: Search): Promise<void> {
  const text = textOfFile(file);
  if (text === undefined) return;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const hits: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % LINES_A_BREATH === 0) await search.breathe();
    if (search.signal.aborted) return;
    if (!matchesLine(search.matcher, line)) continue;
    search.counts.full = search.counts.matches >= search.limit;
    if (search.counts.full) break;
    hits.push(index);
    search.counts.matches++;
  }
  if (hits.length === 0) return;
  search.counts.files++;
  search.lines.push(...renderHits(lines, hits, { shown, context: search.context }));
}

function textOfFile(file: Opened): string | undefined {
  if (file.stat.size > MAX_FILE_BYTES) return undefined;
  const bytes = readAll(file.fd, MAX_FILE_BYTES);
  if (bytes === undefined) return undefined;
  const content = sniffContent(bytes.subarray(0, 8_192));
  return content.kind === "text" ? new TextDecoder(content.encoding).decode(bytes) : undefined;
}

function matchesLine(matcher: StreamMatcher, line: string): boolean {
  matcher.restart();
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  return matcher.push(text.slice(0, MAX_LINE_CHARS)).length > 0 || matcher.end().length > 0;
}

interface HitPlace {
  readonly shown: string;
  readonly context: number;
}

/** `path:line:text` for matches, `path-line-text` for lines around them, `--` between groups that do not touch. */
function renderHits(
  lines: readonly string[],
  hits: readonly number[],
  { shown, context }: HitPlace,
): readonly string[] {
  const rendered: string[] = [];
  const matching = new Set(hits);
  let next = 0;
  for (const hit of hits) {
    const from = Math.max(next, hit - context);
    if (context > 0 && rendered.length > 0 && from > next) rendered.push("--");
    const to = Math.min(lines.length - 1, hit + context);
    for (let at = from; at <= to; at++) {
      const mark = matching.has(at) ? ":" : "-";
      rendered.push(`${shown}${mark}${at + 1}${mark}${shortLine(lines[at] ?? "")}`);
    }
    next = Math.max(next, to + 1);
  }
  return rendered;
}

function renderSearch(search: Search, workspace: Workspace): ToolResult {
  const { matches, files, skipped, full } = search.counts;
  const notes = [
    ...(full ? [`there are more than ${search.limit} matching lines; narrow the search or raise limit`] : []),
    ...(skipped > 0
      ? [`${plural(skipped, "file")} could not be read and ${skipped === 1 ? "was" : "were"} left out`]
      : []),
    ...(search.matcher.gaveUp.length > 0
      ? ["the pattern was too costly for a line, which was left out"]
      : []),
  ];
  const note = notes.length === 0 ? "" : `\n[${notes.join("; ")}]`;
  const details = { matches, files, skipped, truncated: full };
  if (matches === 0) return { ...textResult(`(nothing found)${note}`), details };
  return { ...textResult(boundText(workspace.spill, "grep", search.lines.join("\n")).text + note), details };
}
