// The tool that lists one directory.

import * as fs from "node:fs";
import { stringAt } from "../base/json.ts";
import { defineTool } from "./define.ts";
import { type OpenDirectory, openDirectory } from "./files/open.ts";
import description from "./ls.md" with { type: "text" };
import { boundText } from "./output.ts";
import { type Tool, textResult } from "./tool.ts";
import { readCheck, resolvePath, type Workspace } from "./workspace.ts";

export function lsTool(workspace: Workspace): Tool {
  return defineTool({
    name: "ls",
    description,
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "directory; default: the working directory" },
      },
      additionalProperties: false,
    },
    readOnly: true,
    doing: (args) => `list ${stringAt(args, "path") ?? "."}`,
    run: async (args) => {
      const path = resolvePath(workspace, stringAt(args, "path") ?? ".");
      using directory = openDirectory(path, readCheck(workspace));
      const entries = fs.readdirSync(directory.at("."), { withFileTypes: true });
      if (entries.length === 0) return textResult("(the directory is empty)");
      const lines = entries.map((entry) => renderEntry(directory, entry)).sort();
      const bounded = boundText(workspace.spill, "ls", `${lines.join("\n")}\n`);
      return {
        ...textResult(bounded.text.trimEnd()),
        details: { path: directory.path, entries: entries.length, truncated: bounded.truncated },
      };
    },
  });
}

/** A name with a line break or another control character is quoted, so that it stays one line. */
function renderEntry(directory: OpenDirectory, entry: fs.Dirent): string {
  const name = /[\u0000-\u001f\u007f]/.test(entry.name) ? JSON.stringify(entry.name) : entry.name;
  if (entry.isDirectory()) return `${name}/`;
  if (!entry.isSymbolicLink()) return name;
  try {
    return `${name} -> ${fs.readlinkSync(directory.at(entry.name))}`;
  } catch {
    return `${name} -> ?`;
  }
}
