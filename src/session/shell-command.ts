// The command of a shell call as one text, whichever way the agent wrote it down.

import { arrayAt, type JsonObject, stringAt } from "../base/json.ts";
import { shellWord } from "../base/shell-quote.ts";

/** The command line; undefined for a call that runs none (input to a running program). */
export function commandOf(args: JsonObject): string | undefined {
  const list = arrayAt(args, "command") ?? arrayAt(args, "cmd") ?? arrayAt(args, "argv");
  if (list !== undefined) return commandOfList(list.filter((word) => typeof word === "string"));
  for (const key of ["command", "cmd", "script", "code", "input"]) {
    const text = stringAt(args, key);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** `["bash", "-lc", "ls"]` is `ls`; any other list is joined, quoted where the shell needs it. */
function commandOfList(words: readonly string[]): string | undefined {
  const [program = "", flag = "", script] = words;
  const isShell =
    /(^|\/)(ba|z|da|k|fi)?sh$/.test(program) || /(^|[\\/])(pwsh|powershell)(\.exe)?$/i.test(program);
  if (isShell && /^-\w*c(ommand)?$/i.test(flag) && words.length === 3) return script;
  return words.length === 0 ? undefined : words.map(shellWord).join(" ");
}

/** The patch text of a command that is `apply_patch` with a patch or a here-document, as Codex runs it. */
export function patchInCommand(args: JsonObject): string | undefined {
  const list = arrayAt(args, "command");
  if (list?.[0] === "apply_patch" && typeof list[1] === "string") return list[1];
  const command = commandOf(args);
  if (command === undefined || !/^\s*(cd [^\n;&|]+ && )?apply_patch\b/.test(command)) return undefined;
  return command.includes("*** Begin Patch") ? command : undefined;
}
