// The files that the command line of a run names, for holding its outputs against them.

import { resolve } from "node:path";
import { statOf } from "../base/stat.ts";
import type { CommandContext } from "./command.ts";
import { type NamedFile, sessionFiles, sharedFiles } from "./output-clash.ts";

/** Everything that it reads or goes on in. Nothing is opened; what is not there is told when it is. */
export function filesOfRun(context: CommandContext): readonly NamedFile[] {
  const { flags, cwd, args } = context;
  const attached = args.filter((word) => word.startsWith("@"));
  return [
    ...sessionsOfRun(context),
    ...sharedFiles(context),
    ...fileOf("--schema", flags.text("schema"), cwd),
    ...["system", "append-system"].flatMap((name) => fileAfterAt(`--${name}`, flags.text(name), cwd)),
    ...attached.flatMap((word) => fileAfterAt(word, word, cwd)),
  ];
}

function sessionsOfRun(context: CommandContext): readonly NamedFile[] {
  const { flags, cwd } = context;
  const session = flags.text("session");
  const fork = flags.text("fork");
  return [
    ...(session === undefined ? [] : sessionFiles(context, "--session", session)),
    ...(flags.has("continue") ? sessionFiles(context, "--continue", "latest") : []),
    ...(fork === undefined ? [] : sessionFiles(context, "--fork", forkedSession(fork, cwd))),
  ];
}

/** `<session>[:<entry>]` without the entry. */
function forkedSession(fork: string, cwd: string): string {
  const colon = fork.lastIndexOf(":");
  return colon <= 0 || statOf(resolve(cwd, fork)) !== undefined ? fork : fork.slice(0, colon);
}

function fileAfterAt(label: string, text: string | undefined, cwd: string): readonly NamedFile[] {
  return text?.startsWith("@") === true ? fileOf(label, text.slice(1), cwd) : [];
}

function fileOf(label: string, name: string | undefined, cwd: string): readonly NamedFile[] {
  return name === undefined || name === "" ? [] : [{ label, path: resolve(cwd, name) }];
}
