// The flags that say what tools may do, and the permissions they make together with the settings.

import type { Grant, PermissionSettings } from "../settings/settings.ts";
import { buildPermissions } from "../tools/permissions/build.ts";
import type { Permissions } from "../tools/permissions/permissions.ts";
import type { CommandContext, FlagSpec } from "./command.ts";
import { looksLikeHosts, looksLikePaths, looksLikePrograms, looksLikeVariables } from "./value-words.ts";

export const PERMISSION_FLAGS: readonly FlagSpec[] = [
  {
    name: "allow-read",
    value: { kind: "text", placeholder: "<paths>", optional: true, repeatable: true },
    default: "the working directory",
    help: "paths that may be read, instead of the working directory",
    looksLikeValue: looksLikePaths,
  },
  {
    name: "allow-write",
    value: { kind: "text", placeholder: "<paths>", optional: true, repeatable: true },
    default: "nothing",
    help: "paths that may be written; without a value the working directory",
    looksLikeValue: looksLikePaths,
  },
  {
    name: "allow-run",
    value: { kind: "text", placeholder: "<programs>", optional: true, repeatable: true },
    default: "nothing",
    help: "programs that bash may run; without a value any",
    looksLikeValue: looksLikePrograms,
  },
  {
    name: "allow-net",
    value: { kind: "switch" },
    default: "off",
    help: "with --sandbox: let programs use the network",
    looksLikeValue: looksLikeHosts,
  },
  {
    name: "allow-env",
    value: { kind: "text", placeholder: "<names>", optional: true, repeatable: true },
    default: "PATH, HOME, LANG",
    help: "more variables that programs see; without a value all",
    looksLikeValue: looksLikeVariables,
  },
  { name: "allow-all", short: "A", value: { kind: "switch" }, default: "off", help: "all of these" },
  {
    name: "deny-read",
    value: { kind: "text", placeholder: "<paths>", optional: true, repeatable: true },
    default: "nothing",
    help: "paths that may not be read, whatever is allowed; without a value all",
    looksLikeValue: looksLikePaths,
  },
  {
    name: "deny-write",
    value: { kind: "text", placeholder: "<paths>", optional: true, repeatable: true },
    default: "nothing",
    help: "paths that may not be written, whatever is allowed; without a value all",
    looksLikeValue: looksLikePaths,
  },
  {
    name: "deny-run",
    value: { kind: "text", placeholder: "<programs>", optional: true, repeatable: true },
    default: "nothing",
    help: "programs that may not run, whatever is allowed; without a value all",
    looksLikeValue: looksLikePrograms,
  },
  { name: "sandbox", value: { kind: "switch" }, default: "off", help: "run commands inside bubblewrap" },
  {
    name: "fail-on-denied",
    value: { kind: "switch" },
    default: "off",
    help: "end the run with exit 77 at the first denial",
  },
  {
    name: "tools",
    value: { kind: "text", placeholder: "<names>", repeatable: true },
    default: "all that have a permission",
    help: "offer only these tools, separated by commas",
  },
];

/**
 * What the flags and the settings grant together; a flag wins over the setting of its kind, denials of both hold.
 * `runFiles` are not for the tools to write.
 */
export function permissionsOf(
  context: Pick<CommandContext, "flags" | "cwd" | "home" | "env">,
  settings: PermissionSettings,
  runFiles: readonly string[] = [],
): Permissions {
  const { flags, cwd, home, env } = context;
  const grant = (name: string): Grant => {
    if (!flags.has(name)) return undefined;
    const given = flags.list(name);
    return given.length === 0 ? true : splitList(given);
  };
  return buildPermissions({
    settings,
    flags: {
      read: grant("allow-read"),
      write: grant("allow-write"),
      run: grant("allow-run"),
      env: grant("allow-env"),
      net: flags.has("allow-net") ? true : undefined,
      deny: { read: grant("deny-read"), write: grant("deny-write"), run: grant("deny-run") },
    },
    all: flags.has("allow-all"),
    runFiles,
    cwd,
    home,
    env,
  });
}

/** The names of `--tools`; `undefined` if it was not given. */
export function toolNamesOf(context: Pick<CommandContext, "flags">): readonly string[] | undefined {
  return context.flags.has("tools") ? splitList(context.flags.list("tools")) : undefined;
}

/** `a,b` and repeated flags are the same list. */
export function splitList(values: readonly string[]): readonly string[] {
  return values
    .flatMap((value) => value.split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "");
}
