// Names in permission flags that mean nothing here: probably misspelt, and a denial that denies nothing is worse than none.

import { resolve } from "node:path";
import { isThere } from "../base/stat.ts";
import { grantedPath } from "../tools/permissions/build.ts";
import { isShellWord } from "../tools/permissions/free-words.ts";
import { cleanEnvironment } from "../tools/process/environment.ts";
import { findInPath, isExecutable } from "../tools/process/find-program.ts";
import type { CommandContext } from "./command.ts";
import { splitList } from "./permission-flags.ts";

type Place = Pick<CommandContext, "flags" | "cwd" | "home" | "env">;

interface Kind {
  readonly flags: readonly string[];
  readonly exists: (name: string, place: Place) => boolean;
  readonly missing: string;
}

const KINDS: readonly Kind[] = [
  {
    flags: ["allow-read", "allow-write", "deny-read", "deny-write"],
    exists: (path, place) => isThere(grantedPath(path, place)),
    missing: "no such path",
  },
  { flags: ["allow-run", "deny-run"], exists: isProgram, missing: "no such program on PATH" },
  {
    flags: ["allow-env"],
    exists: (name, { env }) => env[name] !== undefined,
    missing: "no such variable is set",
  },
];

/** One line for each name that is not there now. Not an error: it may appear while the run goes on. */
export function grantNotices(place: Place): readonly string[] {
  return KINDS.flatMap(({ flags, exists, missing }) =>
    flags.flatMap((flag) =>
      splitList(place.flags.list(flag))
        .filter((name) => !exists(name, place))
        .map((name) => `--${flag}=${name}: ${missing}`),
    ),
  );
}

function isProgram(name: string, { cwd, env }: Place): boolean {
  if (name.includes("/")) return isExecutable(resolve(cwd, name));
  return isShellWord(name) || findInPath(name, cleanEnvironment(env, [])["PATH"] ?? "") !== undefined;
}
