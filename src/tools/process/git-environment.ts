// Which repositories git may reach where programs are limited. A variable, because it holds whatever the repository is
// configured to and however the command names its remote.

import { programOf } from "../permissions/command.ts";
import type { ShellLine } from "../permissions/shell-line.ts";
import { wordText } from "../permissions/shell-word.ts";

/** What git may speak; `ext::`, `fd::` and transports of programs called `git-remote-…` are not in it. */
const PROTOCOLS = ["git", "http", "https", "ssh"] as const;

/**
 * Variables for a command line. A push to a path would run the hooks of the repository there, for which git forgets that
 * hooks are turned off: so a line that pushes does not reach repositories by path at all.
 */
export function gitEnvironment(line: ShellLine): Readonly<Record<string, string>> {
  const pushes = line.commands.some(
    (command) =>
      /(^|\/)git$/i.test(programOf(command)) && command.words.some((word) => wordText(word) === "push"),
  );
  return { GIT_ALLOW_PROTOCOL: [...(pushes ? [] : ["file"]), ...PROTOCOLS].join(":") };
}
