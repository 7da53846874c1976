// How a command ended, found in each agent's way: in the result's details, in a sentence before or after the output, or
// not at all. Text inside a command's own output is not taken for its status: only the first and last lines are read.

import { isObject, type JsonObject, numberAt, objectAt, parseJson } from "../base/json.ts";
import { type BashExecutionMessage, type ToolResultMessage, textOf } from "../model/messages.ts";

/** `code`: where the session tells it. `ok`: undefined where nothing says how it ended (still running, no trace). */
export interface ExitStatus {
  readonly code: number | undefined;
  readonly ok: boolean | undefined;
}

const UNKNOWN: ExitStatus = { code: undefined, ok: undefined };

/** The exit status of a shell call's result, or of a command that the user ran. For other tools, `ok` alone. */
export function exitStatusOf(result: ToolResultMessage | BashExecutionMessage): ExitStatus {
  if (result.role === "bashExecution") {
    if (result.exitCode !== undefined) return ofCode(result.exitCode);
    return result.cancelled ? { code: undefined, ok: false } : UNKNOWN;
  }
  const text = textOf(result.content);
  const code = codeInDetails(result.details) ?? codeInText(text);
  if (code !== undefined) return ofCode(code);
  if (result.isError) return { code: undefined, ok: false };
  return stillRuns(text) ? UNKNOWN : { code: undefined, ok: true };
}

function ofCode(code: number): ExitStatus {
  return { code, ok: code === 0 };
}

const CODE_KEYS = ["exitCode", "exit_code", "returnCode", "code", "exit"];

function codeInDetails(details: unknown): number | undefined {
  if (!isObject(details)) return undefined;
  return codeOfKeys(details) ?? codeOfKeys(objectAt(details, "metadata") ?? {});
}

function codeOfKeys(object: JsonObject): number | undefined {
  for (const key of CODE_KEYS) {
    const code = numberAt(object, key);
    if (code !== undefined && Number.isInteger(code)) return code;
  }
  return undefined;
}

/** How many of the first and last lines may speak of the status. */
const EDGE_LINES = 4;

/**
 * Claude Code and Codex: `Exit code 1`, `Exit code: 1` above the output. Codex: `Process exited with code 1` above, or
 * a JSON object with `metadata.exit_code`. pi and oh-my-pi: `Command exited with code 1` below. Copilot: `<exited with
 * exit code 1>` below. Gemini: `Exit Code: 1` below.
 */
const PATTERNS: readonly RegExp[] = [
  /^(?:error: )?exit code:? (-?\d+)\s*$/i,
  /^process exited with code (-?\d+)\.?\s*$/i,
  /^\(?command (?:exited|failed) with (?:exit )?(?:code|status):? (-?\d+)\)?\.?\s*$/i,
  /^<(?:.* )?exited with (?:exit )?code (-?\d+)>\s*$/i,
];

/** The exit code that a result's text tells, in any agent's words; undefined if it tells none. */
export function codeInText(text: string): number | undefined {
  const told = codeInJson(text);
  if (told !== undefined) return told;
  if (!mayTell(text)) return undefined;
  for (const line of edgeLines(text)) {
    for (const pattern of PATTERNS) {
      const code = pattern.exec(line)?.[1];
      if (code !== undefined) return Number(code);
    }
  }
  return undefined;
}

/** Every pattern has one of these words; most outputs have neither. */
function mayTell(text: string): boolean {
  const edges = `${text.slice(0, 2_000)}\n${text.slice(-2_200)}`;
  return /xit|failed with/i.test(edges);
}

function codeInJson(text: string): number | undefined {
  if (!text.startsWith("{") || !/"exit_?code"/i.test(text)) return undefined;
  const value = parseJson(text);
  return codeInDetails(value);
}

function edgeLines(text: string): readonly string[] {
  const head = text.slice(0, 2_000).split("\n", EDGE_LINES);
  const tail = text.slice(-2_200).trimEnd().slice(-2_000).split("\n");
  return [...head, ...tail.slice(-EDGE_LINES)].map((line) => line.trim());
}

function stillRuns(text: string): boolean {
  if (!/running|started/i.test(text.slice(0, 2_000))) return false;
  return /^(process running with session id|command running in background|background process started)/im.test(
    edgeLines(text).join("\n"),
  );
}
