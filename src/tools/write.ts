// The tool that writes a whole file.

import { Buffer } from "node:buffer";
import { stringAt } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { defineTool } from "./define.ts";
import { FileError } from "./files/open.ts";
import { writeWholeFile } from "./files/write.ts";
import { type Tool, textResult } from "./tool.ts";
import { resolvePath, type Workspace, writeCheck } from "./workspace.ts";
import description from "./write.md" with { type: "text" };

export function writeTool(workspace: Workspace): Tool {
  return defineTool({
    name: "write",
    description,
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "file, relative to the working directory or absolute" },
        content: { type: "string", description: "the whole new content" },
      },
      required: ["path", "content"],
      additionalProperties: false,
    },
    readOnly: false,
    watched: { path: "path", text: ["content"] },
    doing: (args) => `write ${stringAt(args, "path")}`,
    run: async (args) => {
      const path = stringAt(args, "path") ?? "";
      if (path.endsWith("/")) throw new FileError("the path names a directory");
      const bytes = Buffer.from((stringAt(args, "content") ?? "").toWellFormed(), "utf8");
      const written = writeWholeFile({
        path: resolvePath(workspace, path),
        bytes,
        check: writeCheck(workspace),
      });
      return {
        ...textResult(
          `${written.created ? "Created" : "Replaced"} ${path} (${plural(bytes.length, "byte")})`,
        ),
        details: { path: written.path, bytes: bytes.length, created: written.created },
      };
    },
  });
}
