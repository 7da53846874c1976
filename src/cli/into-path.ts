// `--into`: the file that a new session is made in.

import { resolve } from "node:path";
import { AppError } from "../base/errors.ts";
import type { CommandContext } from "./command.ts";

/** Its absolute path; undefined if it was not given. Throws `AppError` (`usage`) for `-`; `stdout` says how to get there. */
export function intoPath(
  { flags, cwd }: Pick<CommandContext, "flags" | "cwd">,
  stdout: string,
): string | undefined {
  const into = flags.text("into");
  if (into === "-") throw new AppError("usage", "--into: - is no file", { hint: `On stdout: ${stdout}.` });
  return into === undefined ? undefined : resolve(cwd, into);
}
