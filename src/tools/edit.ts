// The tool that replaces one passage of a file.

import { Buffer } from "node:buffer";
import { stringAt } from "../base/json.ts";
import { defineTool } from "./define.ts";
import description from "./edit.md" with { type: "text" };
import { readAll } from "./files/content.ts";
import { FileError, type Opened, openFile } from "./files/open.ts";
import { writeWholeFile } from "./files/write.ts";
import { nearestLines } from "./nearest.ts";
import { shortLine } from "./output.ts";
import { replaceOnce } from "./replace.ts";
import { type Tool, textResult } from "./tool.ts";
import { readCheck, resolvePath, type Workspace, writeCheck } from "./workspace.ts";

const MAX_EDIT_BYTES = 50_000_000;
const BYTE_ORDER_MARK = "\ufeff";

export function editTool(workspace: Workspace): Tool {
  return defineTool({
    name: "edit",
    description,
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "file, relative to the working directory or absolute" },
        oldText: { type: "string", minLength: 1, description: "the passage to replace, exactly" },
        newText: { type: "string", description: "what takes its place" },
      },
      required: ["path", "oldText", "newText"],
      additionalProperties: false,
    },
    readOnly: false,
    watched: { path: "path", text: ["newText"] },
    doing: (args) => `edit ${stringAt(args, "path")}`,
    run: async (args) => {
      const path = stringAt(args, "path") ?? "";
      const oldText = stringAt(args, "oldText") ?? "";
      const newText = (stringAt(args, "newText") ?? "").toWellFormed();
      if (oldText === newText) throw new FileError("oldText and newText are the same");
      const full = resolvePath(workspace, path);
      using file = openFile(full, readCheck(workspace));
      const { mark, text } = decodeText(file);
      const replaced = replaceOnce(text, oldText, newText);
      if (!replaced.ok) throw new FileError(explain(text, oldText, replaced.lines));
      const bytes = Buffer.from(mark + replaced.text, "utf8");
      const written = writeWholeFile({ path: full, bytes, check: writeCheck(workspace), expect: file.stat });
      return {
        ...textResult(`Edited ${path} at line ${replaced.line}`),
        details: { path: written.path, line: replaced.line, bytes: bytes.length },
      };
    },
  });
}

/** Only UTF-8 is edited: anything else would be damaged by writing it again. */
function decodeText(file: Opened): { readonly mark: string; readonly text: string } {
  const bytes = readAll(file.fd, MAX_EDIT_BYTES);
  if (bytes === undefined) throw new FileError(`it is larger than ${MAX_EDIT_BYTES} bytes`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.includes("\0")) throw new FileError("it is a binary file");
    return text.startsWith(BYTE_ORDER_MARK)
      ? { mark: BYTE_ORDER_MARK, text: text.slice(1) }
      : { mark: "", text };
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError("it is not UTF-8 text");
  }
}

function explain(text: string, oldText: string, lines: readonly number[]): string {
  if (lines.length > 1) {
    const each = [...new Set(lines)];
    const where = `${each.length === 1 ? "line" : "lines"} ${each.join(", ")}`;
    return `oldText occurs ${lines.length} times (${where}); take in more of the text around the one you mean`;
  }
  const near = nearestLines(text, oldText);
  if (near === undefined) return "oldText is not in the file, and nothing like it";
  const last = near.firstLine + near.lines.length - 1;
  const where = near.lines.length === 1 ? `line ${last}` : `lines ${near.firstLine}-${last}`;
  const why = near.whitespaceOnly ? "; only white space differs" : "";
  return `oldText is not in the file. Nearest is ${where}${why}:\n${near.lines.map(shortLine).join("\n")}`;
}
