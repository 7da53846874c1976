// Positional arguments that commands share.

import { AppError } from "../base/errors.ts";
import type { CommandContext } from "./command.ts";

/** The one `<session>` argument of a command. Throws `AppError` (`usage`) if it is missing or more follows. */
export function oneSession({ args }: CommandContext): string {
  const [session, extra] = args;
  if (session === undefined || session === "")
    throw new AppError("usage", "a session is needed", {
      hint: "Give a path, a session id or its beginning, latest, or - for stdin.",
    });
  if (extra !== undefined) throw new AppError("usage", `one session is enough, but "${extra}" follows`);
  return session;
}

/** For commands without positional arguments. Throws `AppError` (`usage`) if there is one. */
export function noArguments({ args }: CommandContext): void {
  const [extra] = args;
  if (extra !== undefined) throw new AppError("usage", `unexpected argument "${extra}"`);
}
