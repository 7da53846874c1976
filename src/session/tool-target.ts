// What a tool call is aimed at: the command, the files, the query. Read from the arguments of every known agent; what is
// not there is left out, nothing is guessed.

import { arrayAt, isObject, type JsonObject, stringAt } from "../base/json.ts";
import type { ToolCallBlock } from "../model/messages.ts";
import { type FileChange, patchFiles } from "./patch-files.ts";
import { commandOf, patchInCommand } from "./shell-command.ts";
import { toolKindOf } from "./tool-kinds.ts";

/** Paths are as the call wrote them: relative to the directory it ran in, or absolute. */
export type ToolTarget =
  /** `command` is undefined for input to a program that runs already. */
  | { readonly kind: "shell"; readonly command: string | undefined; readonly cwd: string | undefined }
  | { readonly kind: "read"; readonly paths: readonly string[] }
  | { readonly kind: "write"; readonly paths: readonly string[] }
  | { readonly kind: "edit"; readonly changes: readonly FileChange[] }
  | { readonly kind: "search"; readonly query: string | undefined; readonly paths: readonly string[] }
  /** A URL or a query. */
  | { readonly kind: "web"; readonly address: string | undefined }
  | { readonly kind: "todo" }
  | { readonly kind: "subagent"; readonly task: string | undefined }
  | { readonly kind: "other" };

/** The target of a call, its kind by the tool's name and, where one tool does several things, by its arguments. */
export function toolTarget(call: ToolCallBlock): ToolTarget {
  const args = call.arguments;
  const kind = toolKindOf(call.name);
  switch (kind) {
    case "shell":
      return shellTarget(args);
    case "read":
    case "write":
      return { kind, paths: pathsOf(args) };
    case "edit":
      return editTarget(args);
    case "search":
      return { kind, query: firstText(args, QUERY_KEYS), paths: pathsOf(args) };
    case "web":
      return { kind, address: webAddress(args) };
    case "subagent":
      return { kind, task: firstText(args, ["description", "prompt", "task", "message", "objective"]) };
    case "todo":
    case "other":
      return { kind };
  }
}

const QUERY_KEYS = ["pattern", "query", "regex", "q", "glob", "search"];
const PATH_KEYS = [
  "file_path",
  "filePath",
  "absolute_path",
  "path",
  "notebook_path",
  "filename",
  "file",
  "dir_path",
];

function shellTarget(args: JsonObject): ToolTarget {
  const patch = patchInCommand(args);
  if (patch !== undefined) return { kind: "edit", changes: patchFiles(patch) };
  const cwd = firstText(args, ["workdir", "cwd", "dir_path", "directory"]);
  return { kind: "shell", command: commandOf(args), cwd };
}

/** `str_replace_editor` and its kin view and create files too. */
function editTarget(args: JsonObject): ToolTarget {
  const verb = stringAt(args, "command");
  if (verb === "view") return { kind: "read", paths: pathsOf(args) };
  if (verb === "create") return { kind: "write", paths: pathsOf(args) };
  const patch = firstText(args, ["input", "patch", "patchText", "diff"]);
  const patched = patch === undefined ? [] : patchFiles(patch);
  if (patched.length > 0) return { kind: "edit", changes: patched };
  return { kind: "edit", changes: pathsOf(args).map((path) => ({ path, change: "update" })) };
}

function webAddress(args: JsonObject): string | undefined {
  const action = args["action"];
  const own = firstText(args, ["url", "query", "q", "prompt"]);
  return own ?? (isObject(action) ? firstText(action, ["query", "url"]) : undefined);
}

function pathsOf(args: JsonObject): readonly string[] {
  const one = firstText(args, PATH_KEYS);
  const listed = ["paths", "files", "include", "edits"]
    .flatMap((key) => arrayAt(args, key) ?? [])
    .flatMap(pathOf);
  return [...new Set([...(one === undefined ? [] : [one]), ...listed])];
}

function pathOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  const path = isObject(value) ? firstText(value, PATH_KEYS) : undefined;
  return path === undefined ? [] : [path];
}

function firstText(object: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = stringAt(object, key);
    if (text !== undefined && text !== "") return text;
  }
  return undefined;
}
