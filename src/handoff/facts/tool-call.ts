// A tool call as the evidence sees it: the command it ran, and the files that it touched if it went well.

import { posix } from "node:path";
import type { JsonObject } from "../../base/json.ts";
import type { ToolCallBlock } from "../../model/messages.ts";
import type { FileChange } from "../../session/patch-files.ts";
import { toolTarget } from "../../session/tool-target.ts";
import { shellChanges } from "./shell-files.ts";

export interface FileTouch {
  /** Relative to the session's working directory where it lies below it. */
  readonly path: string;
  readonly kind: "read" | "write" | "edit" | "delete";
}

export interface CallView {
  /** A call of a tool that keeps a task list. */
  readonly keepsTasks: boolean;
  /** A call that asks the user something: its result is what the user said. */
  readonly asksUser: boolean;
  /** The command line of a shell call; undefined for other tools. */
  readonly command: string | undefined;
  readonly touches: readonly FileTouch[];
  /** What a call that is neither a command nor about files was for: a query, an address, a task; else undefined. */
  readonly purpose: string | undefined;
}

/** A call that waits for its result. */
export interface PendingCall {
  readonly call: ToolCallBlock;
  readonly view: CallView;
  readonly order: number;
  readonly entryId: string;
}

const NOTHING: CallView = {
  keepsTasks: false,
  asksUser: false,
  command: undefined,
  touches: [],
  purpose: undefined,
};

/** Claude Code, oh-my-pi, Codex and Gemini. */
const ASKS_USER = /^(?:AskUserQuestion|ask|ask_user(?:_question)?|request_user_input)$/;

/** What a call is. `cwd` is the session's directory. */
export function viewCall(call: ToolCallBlock, cwd: string): CallView {
  const target = toolTarget(call);
  switch (target.kind) {
    case "shell": {
      if (target.command === undefined) return NOTHING;
      const base = target.cwd === undefined ? cwd : absolute(target.cwd, cwd);
      const touches = shellChanges(target.command).map(({ path, kind }) => ({
        kind,
        path: relativePath(absolute(path, base), cwd),
      }));
      return { ...NOTHING, command: target.command, touches };
    }
    case "read":
    case "write":
      return {
        ...NOTHING,
        touches: target.paths.map((path) => ({ kind: target.kind, path: relativePath(path, cwd) })),
      };
    case "edit":
      return { ...NOTHING, touches: target.changes.flatMap((change) => touchesOf(change, cwd)) };
    case "todo":
      return { ...NOTHING, keepsTasks: true };
    case "web":
      return { ...NOTHING, purpose: target.address ?? "" };
    case "subagent":
      return { ...NOTHING, purpose: target.task ?? "" };
    case "other":
      return { ...NOTHING, asksUser: ASKS_USER.test(call.name), purpose: firstWords(call.arguments) };
    case "search":
      return NOTHING;
  }
}

/** Texts among the arguments of a tool that nobody here knows; numbers, which are limits mostly, after them. */
function firstWords(args: JsonObject): string {
  const values = Object.values(args);
  const told = ["string", "number"].flatMap((type) => values.filter((value) => typeof value === type));
  return told
    .slice(0, 3)
    .map((value) => String(value).slice(0, 400))
    .join(" ");
}

const KIND_OF_CHANGE = { add: "write", update: "edit", delete: "delete" } as const;

function touchesOf(change: FileChange, cwd: string): readonly FileTouch[] {
  const path = relativePath(change.path, cwd);
  if (change.change !== "move") return [{ path, kind: KIND_OF_CHANGE[change.change] }];
  return [
    { path, kind: "delete" },
    { path: relativePath(change.to ?? change.path, cwd), kind: "write" },
  ];
}

function absolute(path: string, base: string): string {
  if (base === "" || /^(?:[/~]|[A-Za-z]:[\\/])/.test(path)) return path;
  return `${base.replace(/\/+$/, "")}/${path.replace(/^\.\//, "")}`;
}

/** From the working directory where the file lies below it; `./`, `..`, `file://` and line ranges are taken off. */
function relativePath(path: string, cwd: string): string {
  const clean = cleanPath(path);
  const base = cwd.endsWith("/") ? cwd.slice(0, -1) : cwd;
  if (base === "" || !clean.startsWith(base)) return clean;
  return clean[base.length] === "/" ? clean.slice(base.length + 1) : clean;
}

function cleanPath(path: string): string {
  let clean = path.includes("\\") ? path.replaceAll("\\", "/") : path;
  if (clean.startsWith("file://")) clean = clean.slice("file://".length);
  if (clean.includes(":")) clean = clean.replace(/:\d+(?:-\d+)?$/, "");
  return clean.startsWith("./") || clean.includes("/.") ? posix.normalize(clean) : clean;
}
