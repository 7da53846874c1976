// The tool that searches file contents. Patterns come from a model and lines from anywhere, so matching is done by the
// matcher whose time is linear in the text.

import type { JsonObject } from "../base/json.ts";
import { booleanAt, numberAt, stringAt } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { diagnosePattern } from "../matcher/diagnose.ts";
import { StreamMatcher } from "../matcher/matcher.ts";
import { breather } from "./breather.ts";
import { defineTool, type ToolCall } from "./define.ts";
import { ignoreRulesAbove } from "./files/ignore.ts";
import { FileError, kindOfPath, openChildFile, openDirectory, openFile } from "./files/open.ts";
import { walk } from "./files/walk.ts";
import { displayPath, globMatcher } from "./find.ts";
import description from "./grep.md" with { type: "text" };
import { type FileSearch, searchFile } from "./grep-file.ts";
import { type OutputCollector, outputCollector } from "./output.ts";
import { type Tool, type ToolResult, textResult } from "./tool.ts";
import { mayRead, readCheck, resolvePath, type Workspace } from "./workspace.ts";

const DEFAULT_LIMIT = 200;
/** Larger files of a directory are data, and would take long; one that is named is searched whatever its size. */
const MAX_FILE_BYTES = 20_000_000;

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
      const search = buildSearch(args, { call, workspace });
      if (kindOfPath(path) === "file") {
        using file = openFile(path, readCheck(workspace));
        const isText = await searchFile(file, displayPath(workspace, file.path), search);
        if (!isText) throw new FileError(`it is a binary file (${plural(file.stat.size, "byte")})`);
      } else await searchTree(path, search, workspace);
      return renderSearch(search);
    },
  });
}

interface Search extends FileSearch {
  readonly accepts: (path: string) => boolean;
  readonly output: OutputCollector;
  /** Files that were left out. */
  readonly left: { unreadable: number; large: number };
}

interface SearchPlace {
  readonly call: ToolCall;
  readonly workspace: Workspace;
}

function buildSearch(args: JsonObject, { call, workspace }: SearchPlace): Search {
  const given = stringAt(args, "pattern") ?? "";
  const pattern = booleanAt(args, "literal") === true ? escapeRegExp(given) : given;
  const flags = booleanAt(args, "ignoreCase") === true ? "i" : "";
  const diagnosis = diagnosePattern(pattern, flags);
  if (diagnosis.kind !== "usable")
    throw new FileError(`the pattern is no regular expression: ${diagnosis.message}`);
  const glob = stringAt(args, "glob");
  const output = outputCollector(workspace.spill, "grep");
  return {
    matcher: new StreamMatcher([{ id: "grep", patterns: [pattern], flags }]),
    context: numberAt(args, "context") ?? 0,
    limit: numberAt(args, "limit") ?? DEFAULT_LIMIT,
    give: (line) => output.push(`${line}\n`),
    counts: { matches: 0, files: 0, full: false },
    breathe: breather(),
    signal: call.signal,
    accepts: glob === undefined ? () => true : globMatcher(glob),
    output,
    left: { unreadable: 0, large: 0 },
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
      search.left.unreadable++;
      continue;
    }
    try {
      using file = openChildFile(entry.parent, entry.name);
      if (file === undefined) continue;
      if (file.stat.size > MAX_FILE_BYTES) search.left.large++;
      else await searchFile(file, displayPath(workspace, entry.path), search);
    } catch {
      search.left.unreadable++;
    }
  }
}

function renderSearch({ counts, left, limit, matcher, output }: Search): ToolResult {
  const leftOut = (count: number, why: string) =>
    count === 0 ? [] : [`${plural(count, "file")} ${why} and ${count === 1 ? "was" : "were"} left out`];
  const notes = [
    ...(counts.full ? [`there are more than ${limit} matching lines; narrow the search or raise limit`] : []),
    ...leftOut(left.unreadable, "could not be read"),
    ...leftOut(left.large, `${left.large === 1 ? "is" : "are"} larger than 20 MB`),
    ...(matcher.gaveUp.length > 0 ? ["the pattern was too costly for a line, which was left out"] : []),
  ];
  const note = notes.length === 0 ? "" : `\n[${notes.join("; ")}]`;
  const { matches, files, full } = counts;
  const details = { matches, files, skipped: left.unreadable + left.large, truncated: full };
  const found = matches === 0 ? "(nothing found)" : output.finish().text.replace(/\n$/, "");
  return { ...textResult(found + note), details };
}
