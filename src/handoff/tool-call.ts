// A tool call as the evidence sees it: what kind of thing it did, and to what. Arguments come from many agents, so every
// member is looked for under the names that they use.

import { arrayAt, isObject, type JsonObject, stringAt } from "../base/json.ts";
import type { ToolCallBlock } from "../model/messages.ts";
import { patchChanges } from "./patch-files.ts";
import { shellChanges } from "./shell-files.ts";

export type CallKind = "shell" | "read" | "write" | "edit" | "other";

export interface FileTouch {
  /** Relative to the working directory where it lies below it. */
  readonly path: string;
  readonly kind: "read" | "write" | "edit" | "delete";
}

export interface CallView {
  readonly kind: CallKind;
  readonly name: string;
  readonly command: string | undefined;
  readonly touches: readonly FileTouch[];
}

const KINDS: Readonly<Record<string, CallKind>> = {
  bash: "shell", shell: "shell", shell_command: "shell", exec_command: "shell", run_shell_command: "shell", execute_command: "shell", run_terminal_cmd: "shell", terminal: "shell", powershell: "shell", exec: "shell", local_shell: "shell",
  read: "read", read_file: "read", view: "read", cat: "read", open_file: "read", notebookread: "read", read_many_files: "read",
  write: "write", write_file: "write", create: "write", create_file: "write", write_to_file: "write",
  edit: "edit", multiedit: "edit", edit_file: "edit", str_replace: "edit", str_replace_editor: "edit", str_replace_based_edit_tool: "edit", apply_patch: "edit", patch: "edit", replace: "edit", notebookedit: "edit", insert: "edit", apply_diff: "edit", search_replace: "edit", hashline_edit: "edit", ast_edit: "edit", update: "edit",
};

/** What a call is. `cwd` is the session's directory, with `/` between names. */
export function viewCall(call: ToolCallBlock, cwd: string): CallView {
  const kind = KINDS[call.name.toLowerCase().replace(/^.*[.:]/, "")] ?? "other";
  const command = kind === "shell" ? commandOf(call.arguments) : undefined;
  return { kind, name: call.name, command, touches: touchesOf(kind, call, command).map((touch) => ({ ...touch, path: relativePath(touch.path, cwd) })) };
}

function commandOf(args: JsonObject): string | undefined {
  const value = args["command"] ?? args["cmd"] ?? args["script"] ?? args["input"];
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  const words = value.filter((word) => typeof word === "string");
  const inner = /^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(words[0] ?? "") && /^-\w*c$/.test(words[1] ?? "") ? words[2] : undefined;
  return inner ?? words.join(" ");
}

function touchesOf(kind: CallKind, call: ToolCallBlock, command: string | undefined): readonly FileTouch[] {
  const args = call.arguments;
  if (kind === "shell") {
    if (command === undefined) return [];
    return command.includes("*** Begin Patch") ? patchChanges(command) : shellChanges(command);
  }
  if (kind === "other") return [];
  const patch = stringAt(args, "input") ?? stringAt(args, "patch") ?? stringAt(args, "diff") ?? "";
  if (kind === "edit" && patch.includes("*** Begin Patch")) return patchChanges(patch);
  return pathsOf(args).map((path) => ({ path, kind: kindFor(kind, call) }));
}

/** One editor tool can do several things by its `command` argument. */
function kindFor(kind: "read" | "write" | "edit", call: ToolCallBlock): FileTouch["kind"] {
  const command = stringAt(call.arguments, "command");
  if (command === "view") return "read";
  if (command === "create") return "write";
  return kind;
}

const PATH_KEYS = ["path", "file_path", "filePath", "file", "filename", "target_file", "notebook_path", "absolute_path", "relative_path", "target"];

function pathsOf(args: JsonObject): readonly string[] {
  const one = PATH_KEYS.map((key) => stringAt(args, key)).find((path) => path !== undefined && path !== "");
  if (one !== undefined) return [one];
  const many = arrayAt(args, "paths") ?? arrayAt(args, "files") ?? arrayAt(args, "edits") ?? [];
  return many.flatMap((item) => {
    if (typeof item === "string") return [item];
    const path = isObject(item) ? PATH_KEYS.map((key) => stringAt(item, key)).find((value) => value !== undefined) : undefined;
    return path === undefined ? [] : [path];
  });
}

/** From the working directory where the file lies below it; line ranges after the name are taken off. */
export function relativePath(path: string, cwd: string): string {
  const clean = path.replaceAll("\\", "/").replace(/^file:\/\//, "").replace(/^\.\//, "").replace(/:\d+(?:-\d+)?$/, "");
  const base = cwd.replaceAll("\\", "/").replace(/\/+$/, "");
  if (base !== "" && clean.startsWith(`${base}/`)) return clean.slice(base.length + 1);
  return clean;
}
