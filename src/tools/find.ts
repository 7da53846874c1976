// The tool that finds files by name.

import { isAbsolute, relative, sep } from "node:path";
import picomatch from "picomatch";
import { numberAt, stringAt } from "../base/json.ts";
import { leadsUp } from "../base/leads-out.ts";
import { breather } from "./breather.ts";
import { defineTool } from "./define.ts";
import { ignoreRulesAbove } from "./files/ignore.ts";
import { FileError, openDirectory } from "./files/open.ts";
import { walk } from "./files/walk.ts";
import description from "./find.md" with { type: "text" };
import { boundText } from "./output.ts";
import { type Tool, textResult } from "./tool.ts";
import { mayRead, readCheck, resolvePath, type Workspace } from "./workspace.ts";

const DEFAULT_LIMIT = 1_000;

export function findTool(workspace: Workspace): Tool {
  return defineTool({
    name: "find",
    description,
    parameters: {
      type: "object",
      properties: {
        pattern: { type: "string", minLength: 1, description: "glob, relative to the directory" },
        path: { type: "string", description: "directory to search; default: the working directory" },
        limit: { type: "integer", minimum: 1, description: "most results; default 1000" },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    readOnly: true,
    doing: (args) => `find in ${stringAt(args, "path") ?? "."}`,
    run: async (args, call) => {
      const limit = numberAt(args, "limit") ?? DEFAULT_LIMIT;
      const matches = globMatcher(stringAt(args, "pattern") ?? "");
      using directory = openDirectory(
        resolvePath(workspace, stringAt(args, "path") ?? "."),
        readCheck(workspace),
      );
      const found: string[] = [];
      let more = false;
      const options = {
        ignored: ignoreRulesAbove(directory.path),
        mayEnter: mayRead(workspace),
        signal: call.signal,
      };
      const breathe = breather();
      for (const entry of walk(directory, options)) {
        await breathe();
        if (!matches(slashed(relative(directory.path, entry.path)))) continue;
        more = found.length >= limit;
        if (more) break;
        found.push(displayPath(workspace, entry.path) + (entry.kind === "directory" ? "/" : ""));
      }
      const details = { path: directory.path, count: found.length, truncated: more };
      if (found.length === 0) return { ...textResult("(nothing found)"), details };
      const bounded = boundText(workspace.spill, "find", found.join("\n"));
      const note = more ? `\n[there are more than ${limit}; narrow the pattern or raise limit]` : "";
      return { ...textResult(bounded.text + note), details };
    },
  });
}

/**
 * Matches paths relative to the searched directory; a pattern without `/` matches names. Throws `FileError` for what is no
 * pattern, or could match nothing.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  if (isAbsolute(pattern) || leadsUp(pattern))
    throw new FileError(
      `"${pattern}" matches nothing: patterns start at the searched directory, which is "path"`,
    );
  try {
    const match = picomatch(pattern.replace(/^\.\//, ""), { dot: true, basename: !pattern.includes("/") });
    return (path) => match(path);
  } catch {
    throw new FileError(`"${pattern}" is no glob pattern`);
  }
}

/** Relative to the working directory where it is inside. */
export function displayPath(workspace: Workspace, path: string): string {
  const inside = slashed(relative(workspace.realCwd, path));
  return leadsUp(inside) ? path : inside;
}

function slashed(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}
