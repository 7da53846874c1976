// Flags that every command takes.

import type { FlagSpec } from "./command.ts";

export const GLOBAL_FLAGS: readonly FlagSpec[] = [
  {
    name: "cwd",
    value: { kind: "text", placeholder: "<dir>" },
    default: "the current directory",
    help: "work in this directory",
  },
  {
    name: "config",
    value: { kind: "text", placeholder: "<file>" },
    default: "none",
    help: "settings that win over the user's and the project's",
  },
  {
    name: "color",
    value: { kind: "choice", choices: ["auto", "always", "never"] },
    default: "auto",
    help: "colour; NO_COLOR and FORCE_COLOR are honoured",
  },
  { name: "quiet", short: "q", value: { kind: "switch" }, default: "off", help: "only errors on stderr" },
  { name: "verbose", short: "v", value: { kind: "switch" }, default: "off", help: "more on stderr" },
  {
    name: "trust",
    value: { kind: "switch" },
    default: "off",
    help: "use this project's host, permissions, tools and hooks",
  },
  { name: "help", short: "h", value: { kind: "switch" }, default: "off", help: "this text" },
  { name: "version", value: { kind: "switch" }, default: "off", help: "the version" },
];

/** `--output` with the choices of one command; the first is the default. */
export function outputFlag(choices: readonly string[], help = "form of the result"): FlagSpec {
  return { name: "output", value: { kind: "choice", choices }, default: choices[0] ?? "text", help };
}
