// How a command ended, from the result that its agent kept of it.

import { isObject, numberAt, objectAt } from "../base/json.ts";
import { type ToolResultMessage, textOf } from "../model/messages.ts";
import type { CommandStatus } from "./facts.ts";

export interface Outcome {
  readonly status: CommandStatus;
  readonly exitCode: number | null;
}

const AT_END = /(?:Command exited with code|exited with (?:exit )?code|exit code:?|exit status:?) (-?\d+)\)?\.?\s*(?:<\/\w+>)?\s*$/i;
const AT_START = /^\s*(?:<\w+>)?(?:Exit code:?|Process exited with code|Error: Exit code) (-?\d+)/i;
const LATER_AT_START = /^(?:.*\n){0,4}Process exited with code (-?\d+)/;

/** The outcome of a finished call. */
export function outcomeOf(result: ToolResultMessage): Outcome {
  const text = textOf(result.content);
  const code = codeInDetails(result.details) ?? codeInText(text);
  if (code !== undefined) return { status: code === 0 ? "ok" : "failed", exitCode: code };
  if (/^\s*(?:Command aborted|\[Request interrupted|The user doesn't want|Operation aborted|aborted by user)|Command aborted\s*$/i.test(text.slice(0, 200)) || /Command aborted\s*$/.test(text.slice(-200))) {
    return { status: "interrupted", exitCode: null };
  }
  if (result.isError) return { status: "failed", exitCode: null };
  if (/^(?:.*\n){0,4}Process running with session ID/.test(text)) return { status: "unknown", exitCode: null };
  return { status: "ok", exitCode: 0 };
}

function codeInDetails(details: unknown): number | undefined {
  if (!isObject(details)) return undefined;
  const metadata = objectAt(details, "metadata");
  return numberAt(details, "exitCode") ?? numberAt(details, "exit_code") ?? numberAt(details, "code") ?? (metadata === undefined ? undefined : numberAt(metadata, "exit_code"));
}

function codeInText(text: string): number | undefined {
  const found = AT_END.exec(text.slice(-200)) ?? AT_START.exec(text.slice(0, 200)) ?? LATER_AT_START.exec(text.slice(0, 400));
  return found?.[1] === undefined ? undefined : Number(found[1]);
}
