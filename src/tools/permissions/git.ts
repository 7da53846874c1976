// git runs programs in many ways: aliases, hooks, pagers, transports, filters. Only known subcommands are accepted,
// without the options that name a program, a configuration or another repository.

import { abbreviated } from "./options.ts";

/** Why these arguments of git are not accepted; `undefined` if nothing is against them. */
export function refuseGit(args: readonly string[]): string | undefined {
  const start = args.findIndex((arg) => !GLOBAL_OPTIONS.has(arg));
  const command = args[start];
  if (command === undefined) return undefined;
  if (command.startsWith("-")) return `git ${command.split("=", 1)[0]} before the subcommand is refused`;
  if (!SUBCOMMANDS.has(command))
    return `git ${command} is refused: it is not on the list of judged subcommands`;
  const rest = args.slice(start + 1);
  return refuseRest(command, rest) ?? refuseNested(command, rest);
}

/** A path to git's own data: `git mv evil .git` moves first and looks then, and a clone may be made there. */
const OWN_DATA = /(^|[/=:])\.git(\/|$)/i;

/** What follows `--` is judged too: as the value of an option (`fetch -o -- --upload-pack=x`) it does not end the options. */
function refuseRest(command: string, args: readonly string[]): string | undefined {
  for (const arg of args) {
    if (OWN_DATA.test(arg)) return `git ${command}: "${arg}" is git's own data, which decides what git runs`;
    if (TRANSPORTS.has(command) && (/^(--[a-z-]+=)?[A-Za-z0-9+.-]+::/.test(arg) || /:\/\/-/.test(arg)))
      return `git ${command}: "${arg}" names a transport that runs a program`;
    if (command === "rev-parse" || SAFE_LONG.has(arg.split("=", 1)[0] ?? "")) continue;
    const long = abbreviated(arg, REFUSED_LONG);
    if (long !== undefined)
      return `git ${command} ${long} is refused: it names a program, a file or a repository`;
    const letters = REFUSED_SHORT.get(command) ?? "";
    const letter = /^-[^-]/.test(arg) ? [...letters].find((candidate) => arg.includes(candidate)) : undefined;
    if (letter !== undefined) return `git ${command} -${letter} is refused: it names a program`;
  }
  return undefined;
}

/** Subcommands of subcommands. */
function refuseNested(command: string, args: readonly string[]): string | undefined {
  const allowed = NESTED.get(command);
  if (allowed === undefined) return undefined;
  const [first] = args;
  if (first === undefined && command !== "config") return undefined;
  return first !== undefined && allowed.has(first)
    ? undefined
    : `git ${command} ${first ?? ""} is refused`.replace("  ", " ");
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const GLOBAL_OPTIONS = words(
  "--no-pager -P --no-optional-locks --literal-pathspecs --version --no-replace-objects",
);

const SUBCOMMANDS = words(`
  add am annotate apply bisect blame branch cat-file check-ignore check-attr checkout cherry cherry-pick clean clone
  commit config count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc
  grep init log ls-files ls-remote ls-tree merge merge-base merge-tree mv name-rev notes pull push range-diff rebase
  reflog remote reset restore rev-list rev-parse revert rm shortlog show show-branch show-ref sparse-checkout stash
  status submodule switch symbolic-ref tag var verify-commit verify-tag version whatchanged worktree
`);

/** Subcommands that take addresses of repositories. */
const TRANSPORTS = words("clone fetch ls-remote pull push remote submodule");

const REFUSED_LONG: readonly string[] = [
  "--exec",
  "--exec-path",
  "--upload-pack",
  "--receive-pack",
  "--ext-diff",
  "--textconv",
  "--open-files-in-pager",
  "--extcmd",
  "--template",
  "--config",
  "--config-env",
  "--git-dir",
  "--work-tree",
  "--separate-git-dir",
  "--output",
  "--output-directory",
  "--unsafe-paths",
  "--strategy",
  "--help",
];

/** Whole options that are also beginnings of refused ones. */
const SAFE_LONG = words("--text --edit --strategy-option --no-ext-diff --no-textconv --ours --theirs");

const REFUSED_SHORT: ReadonlyMap<string, string> = new Map([
  ["clone", "cu"],
  ["grep", "O"],
  ["rebase", "xs"],
  ["merge", "s"],
  ["pull", "s"],
  ["format-patch", "o"],
]);

const NESTED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["bisect", words("start good bad new old skip reset log next terms")],
  ["submodule", words("add status init deinit update summary sync absorbgitdirs")],
  ["config", words("--get --get-all --get-regexp --list -l get list")],
  ["remote", words("-v add remove rm rename get-url set-url show prune update set-branches")],
  ["notes", words("list show add append remove copy prune")],
  ["worktree", words("list add remove prune lock unlock move repair")],
  ["reflog", words("show list exists expire delete HEAD")],
]);
