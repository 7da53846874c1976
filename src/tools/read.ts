// The tool that reads one file: text by line ranges, images as they are.

import { Buffer } from "node:buffer";
import type { JsonObject } from "../base/json.ts";
import { numberAt, stringAt } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { breather, LINES_A_BREATH } from "./breather.ts";
import { defineTool, type ToolCall } from "./define.ts";
import { linesOf, readAll, sniffFile } from "./files/content.ts";
import { FileError, type Opened, openFile } from "./files/open.ts";
import { cutBytes, MAX_BYTES, MAX_LINES } from "./output.ts";
import description from "./read.md" with { type: "text" };
import { type Tool, type ToolResult, textResult } from "./tool.ts";
import { readCheck, resolvePath, type Workspace } from "./workspace.ts";

export interface ReadOptions {
  /** Whether the model takes images. */
  readonly vision: boolean;
  /** The body of a rule by its name. */
  readonly readRule: ((name: string) => string | undefined) | undefined;
}

const MAX_IMAGE_BYTES = 10_000_000;
const RULE_PREFIX = "rule://";
/** In a longer file the lines after the range are not counted. */
const COUNT_BYTES = 16_000_000;

export function readTool(workspace: Workspace, options: ReadOptions): Tool {
  return defineTool({
    name: "read",
    description,
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "file, relative to the working directory or absolute" },
        offset: { type: "integer", minimum: 1, description: "first line, from 1" },
        limit: { type: "integer", minimum: 1, description: "number of lines" },
      },
      required: ["path"],
      additionalProperties: false,
    },
    readOnly: true,
    doing: (args) => `read ${stringAt(args, "path")}`,
    run: async (args, call) => {
      const path = stringAt(args, "path") ?? "";
      if (path.startsWith(RULE_PREFIX)) return readRule(path.slice(RULE_PREFIX.length), options);
      using file = openFile(resolvePath(workspace, path), readCheck(workspace));
      if (path.endsWith("/")) throw new FileError("it is a file, not a directory");
      const content = sniffFile(file.fd);
      switch (content.kind) {
        case "image":
          return imageResult(file, content.mimeType, options.vision);
        case "binary":
          throw new FileError(`it is a binary file (${plural(file.stat.size, "byte")})`);
        case "text":
          return await textRange(linesOf(file.fd, content.encoding, MAX_BYTES), { file, args, call });
      }
    },
  });
}

function readRule(name: string, options: ReadOptions): ToolResult {
  const body = options.readRule?.(name);
  return body === undefined
    ? textResult(`Cannot read rule://${name}: there is no such rule`, true)
    : textResult(body);
}

function imageResult(file: Opened, mimeType: string, vision: boolean): ToolResult {
  if (!vision) throw new FileError(`it is an image (${mimeType}), and this model does not take images`);
  const bytes = readAll(file.fd, MAX_IMAGE_BYTES);
  if (bytes === undefined) throw new FileError(`the image is larger than ${MAX_IMAGE_BYTES} bytes`);
  const data = Buffer.from(bytes).toString("base64");
  return { content: [{ type: "image", data, mimeType }], isError: false };
}

interface Range {
  readonly lines: string[];
  /** Lines of the file; undefined where they were not counted. */
  readonly total: number | undefined;
  /** A line of the range was cut, or the range ended early. */
  readonly cutLine: boolean;
}

interface TextRead {
  readonly file: Opened;
  readonly args: JsonObject;
  readonly call: ToolCall;
}

async function textRange(lines: Iterable<string>, { file, args, call }: TextRead): Promise<ToolResult> {
  const offset = numberAt(args, "offset") ?? 1;
  const limit = Math.min(numberAt(args, "limit") ?? MAX_LINES, MAX_LINES);
  const count = file.stat.size <= COUNT_BYTES;
  const range = await collectRange(lines, { offset, limit, count, signal: call.signal });
  if (range.lines.length === 0) {
    if (range.total === 0) return textResult("(the file is empty)");
    throw new FileError(
      `line ${offset} is past its end (it has ${range.total === undefined ? "fewer lines" : plural(range.total, "line")})`,
    );
  }
  const last = offset + range.lines.length - 1;
  const text = range.lines.join("\n");
  const more = range.total === undefined || range.total > last;
  const notes = [
    ...(range.cutLine ? [`line ${last} is too long and was cut`] : []),
    ...(more
      ? [`lines ${offset}-${last} of ${range.total ?? "more"}; continue with offset ${last + 1}`]
      : []),
  ];
  const details = { path: file.path, firstLine: offset, lastLine: last, truncated: more || range.cutLine };
  return {
    content: [{ type: "text", text: notes.length === 0 ? text : `${text}\n[${notes.join("; ")}]` }],
    isError: false,
    details,
  };
}

interface RangeRequest {
  readonly offset: number;
  readonly limit: number;
  /** Go on to the end to know how many lines there are. */
  readonly count: boolean;
  readonly signal: AbortSignal;
}

async function collectRange(
  lines: Iterable<string>,
  { offset, limit, count, signal }: RangeRequest,
): Promise<Range> {
  const breathe = breather();
  const kept: string[] = [];
  let number = 0;
  let bytes = 0;
  let full = false;
  let cutLine = false;
  for (const line of lines) {
    number++;
    if (number % LINES_A_BREATH === 0) {
      await breathe();
      if (signal.aborted) throw new FileError("the run was ended");
    }
    if (number < offset) continue;
    if (!full && kept.length < limit) {
      const size = Buffer.byteLength(line, "utf8") + 1;
      if (bytes + size <= MAX_BYTES) kept.push(line);
      else if (kept.length === 0) {
        kept.push(cutBytes(line, MAX_BYTES));
        cutLine = true;
      }
      bytes += size;
      full = bytes > MAX_BYTES;
    } else if (!count) return { lines: kept, total: undefined, cutLine };
  }
  return { lines: kept, total: number, cutLine };
}
