// How a command ended, as the evidence counts it: an end that somebody forced is neither success nor failure.

import { type ToolResultMessage, textOf } from "../../model/messages.ts";
import { exitStatusOf } from "../../session/exit-status.ts";
import type { CommandStatus } from "./facts.ts";
import { parseCommandLine, type SimpleCommand } from "./shell-words.ts";

export interface Outcome {
  readonly status: CommandStatus;
  readonly exitCode: number | null;
}

const STOPPED =
  /^(?:command aborted|operation aborted|aborted by user|\[request interrupted by user[^\]]*\]|the user doesn't want to (?:proceed|take this action).*|interrupted by user\.?|cancelled by user\.?|not run, .*|tool execution (?:was )?(?:aborted|cancelled)\.?)$/i;

/** Every text above begins with one of these; most lines of most outputs with none, and are not matched. */
const STOPPED_STARTS = [
  "command abor",
  "operation ab",
  "aborted by u",
  "[request int",
  "the user doe",
  "interrupted ",
  "cancelled by",
  "not run, ",
  "tool executi",
];

function saysStopped(line: string): boolean {
  const start = line.slice(0, 12).toLowerCase();
  return STOPPED_STARTS.some((known) => start.startsWith(known)) && STOPPED.test(line);
}

/** The outcome of a call that has a result. */
export function outcomeOf(result: ToolResultMessage): Outcome {
  const { code, ok } = exitStatusOf(result);
  if (code !== undefined) return { status: code === 0 ? "ok" : "failed", exitCode: code };
  const text = textOf(result.content);
  const head = text.slice(0, 300).trimStart();
  const tail = text.slice(-300).trimEnd();
  const newline = head.indexOf("\n");
  const first = newline < 0 ? head : head.slice(0, newline);
  const last = tail.slice(tail.lastIndexOf("\n") + 1);
  if (saysStopped(first.trim()) || saysStopped(last.trim())) return { status: "interrupted", exitCode: null };
  if (ok === undefined) return { status: "unknown", exitCode: null };
  // Tools that run commands tell a status other than 0; one that went well and told none had 0.
  return ok ? { status: "ok", exitCode: 0 } : { status: "failed", exitCode: null };
}

/** `echo "exit: $?"`, `echo ${PIPESTATUS[0]}`: the line tells the status of what came before. */
export function echoesStatus({ words }: SimpleCommand): boolean {
  return /^(?:echo|printf)$/.test(words[0] ?? "") && words.some((word) => STATUS.test(word));
}

const STATUS = /\$\?|\$\{PIPESTATUS\[0\]\}/;

/**
 * The failure that a line told by its own last word: `npm test; echo "exit: $?"` ends with 0, and its output with `exit: 1`.
 * Undefined where none is told, and where what is told is 0: that may be the status of a filter.
 */
export function echoedFailure(line: string, output: string): Outcome | undefined {
  if (!STATUS.test(line)) return undefined;
  const last = parseCommandLine(line).at(-1);
  if (last === undefined || !echoesStatus(last)) return undefined;
  const told = last.words
    .slice(1)
    .filter((word) => !/^-[neE]+$/.test(word))
    .join(" ")
    .replace(/(?:\\n)+$/, "");
  const [before = "", after = ""] = told.split(STATUS);
  const shown = output.slice(-1000).trimEnd().split("\n").at(-1)?.trim() ?? "";
  if (!shown.startsWith(before.trimStart()) || !shown.endsWith(after.trimEnd())) return undefined;
  const code = /^\s*(\d{1,3})(?!\d)/.exec(shown.slice(before.trimStart().length))?.[1];
  return code === undefined || Number(code) === 0 ? undefined : { status: "failed", exitCode: Number(code) };
}
