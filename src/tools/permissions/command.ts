// Judging a command line against lists of programs.

import type { NameGrant } from "./permissions.ts";

export interface CommandLists {
  readonly allow: NameGrant;
  readonly deny: NameGrant;
}

export type Judgement =
  | { readonly ok: true }
  | { readonly ok: false; readonly target: string; readonly reason: string };

/** Whether every program that the command line starts is allowed. */
export function judgeCommand(command: string, _lists: CommandLists): Judgement {
  return { ok: false, target: command, reason: "lists of programs are not supported yet" };
}
