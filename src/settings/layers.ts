// The settings files: where they are, and what each says, leaf by leaf, with the place of every value.

import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { AppError, codeOf } from "../base/errors.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import { directoriesUp } from "../base/repository.ts";
import { isThere } from "../base/stat.ts";
import { reasonOf } from "../base/system-error.ts";
import type { JsoncDocument } from "./jsonc.ts";

/** In the order in which they are merged: later wins. */
export type Source = "default" | "user" | "project" | "config";

/** Where a value came from. `line` and `column` count from 1. */
export interface Origin {
  readonly source: Source;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Leaf {
  readonly value: unknown;
  readonly origin: Origin;
}

/** One file's values by dotted path (`ttsr.enabled`). */
export interface Layer extends LayerRequest {
  readonly leaves: ReadonlyMap<string, Leaf>;
  readonly warnings: readonly string[];
}

/** Groups whose members are merged one by one; every other value is a leaf. */
const GROUPS: ReadonlySet<string> = new Set([
  "ttsr",
  "handoff",
  "permissions",
  "permissions.deny",
  "hooks",
  "limits",
  "retry",
]);

/** Nobody writes more; a file of another kind is not read whole. */
const MAX_BYTES = 1_048_576;

/**
 * The user's file: `$AGENT_HOME/config.jsonc`, else `$XDG_CONFIG_HOME/agent/config.jsonc`, else below `~/.config`.
 * `undefined` where no home is known: a relative path would be a file of whatever directory we run in.
 */
export function userConfigPath(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const own = env["AGENT_HOME"];
  if (own) return resolve(own, "config.jsonc");
  const xdg = env["XDG_CONFIG_HOME"];
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "agent", "config.jsonc");
  return isAbsolute(home) ? join(home, ".config", "agent", "config.jsonc") : undefined;
}

/** The nearest directory upwards in the repository that has `.agent/config.jsonc`. */
export function findProject(cwd: string): string | undefined {
  return directoriesUp(cwd).find((directory) => isThere(projectConfigPath(directory)));
}

/** The settings file of a project, whether it is there or not. */
export function projectConfigPath(project: string): string {
  return join(project, ".agent", "config.jsonc");
}

export interface LayerRequest {
  readonly source: Source;
  readonly file: string;
  /** What relative paths of grants start from: the working directory, or the project for its own file. */
  readonly pathsFrom: string;
  /** Where `./program` of a command is: the file's directory, or the project for its own file. */
  readonly programsFrom: string;
}

/**
 * Reads one file; `undefined` where there is none. Rejects with `AppError` (`settings`) with line and column. What parses
 * and checks is loaded only for a file that is there: most calls have none.
 */
export async function loadLayer(request: LayerRequest): Promise<Layer | undefined> {
  const text = readText(request.file);
  return text === undefined ? undefined : await parseLayer(text, request);
}

async function parseLayer(text: string, request: LayerRequest): Promise<Layer> {
  const { file, source } = request;
  const document = await parseOrFail(text, file);
  const { checkSettings } = await import("./schema.ts");
  const findings = checkSettings(document.value);
  const wrong = findings.find((finding) => !finding.unknownKey);
  if (wrong !== undefined) throw settingsError(file, document.position(wrong.path), wrong.message);
  const warnings = findings
    .map((finding) => ({ ...document.keyPosition(finding.path), message: finding.message }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  const leaves = new Map<string, Leaf>();
  if (isObject(document.value)) collect(document.value, [], { document, origin: { source, file }, leaves });
  for (const finding of findings) leaves.delete(finding.path.join("."));
  return { ...request, leaves, warnings };
}

interface Collection {
  readonly document: JsoncDocument;
  readonly origin: Origin;
  readonly leaves: Map<string, Leaf>;
}

function collect(object: JsonObject, path: readonly string[], into: Collection): void {
  for (const [key, value] of Object.entries(object)) {
    const here = [...path, key];
    const name = here.join(".");
    if (GROUPS.has(name) && isObject(value)) collect(value, here, into);
    else into.leaves.set(name, { value, origin: { ...into.origin, ...into.document.position(here) } });
  }
}

async function parseOrFail(text: string, file: string): Promise<JsoncDocument> {
  const { JsoncError, parseDocument, positionAt } = await import("./jsonc.ts");
  try {
    return parseDocument(text);
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    throw settingsError(file, positionAt(text, error.offset), error.message);
  }
}

function settingsError(file: string, at: { readonly line: number; readonly column: number }, why: string) {
  return new AppError("settings", `Cannot use settings ${file}:${at.line}:${at.column}: ${why}`, {
    hint: "docs/config.schema.json describes every setting.",
  });
}

function readText(file: string): string | undefined {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw new AppError("settings", `Cannot read settings "${file}": it is not a file`);
    if (stat.size > MAX_BYTES)
      throw new AppError("settings", `Cannot read settings "${file}": it is larger than 1 MiB`);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw new AppError("settings", `Cannot read settings "${file}": ${reasonOf(error)}`, { cause: error });
  }
}

/** `~/x` → the home directory's `x`; a relative path starts from `directory`. */
export function expandPath(path: string, directory: string, home: string): string {
  if (!isAbsolute(home)) return resolve(directory, path);
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(directory, path);
}
