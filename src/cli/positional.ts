// How many arguments a command takes, read from its usage line: a word too many is a mistake, not something to ignore.

import { AppError } from "../base/errors.ts";

/**
 * Throws `AppError` (`usage`) for more arguments than `usage` has places for. A place is a word in `<>` or `[]`; with `...`
 * in it, it takes any number. A bare `-` is stdin, which any command may be told to read.
 */
export function refuseExtraArguments(name: string, usage: string, args: readonly string[]): void {
  const places = usage.split(" ").filter((word) => /^[<[]/.test(word));
  if (places.some((place) => place.includes("..."))) return;
  const words = places.length === 0 ? args.filter((word) => word !== "-") : args;
  const extra = words[places.length];
  if (extra === undefined) return;
  const takes =
    places.length === 0 ? `no arguments, but got "${extra}"` : `${places.join(" ")}, but got "${extra}" too`;
  throw new AppError("usage", `${name} takes ${takes}`, {
    hint: `agent ${name} --help shows how to call it.`,
  });
}
