// Options by which a harmless-looking program starts another one, or writes where it was not told to. Judged by the
// arguments alone; long options may be shortened as far as GNU programs and git accept it.

import { refuseGit } from "./git.ts";
import { type OptionRule, refuseOptions } from "./options.ts";

/** Why these arguments are not accepted; `undefined` if nothing is against them. */
export function refuseArguments(program: string, args: readonly string[]): string | undefined {
  if (program === "git") return refuseGit(args);
  if (program === "sed" || program === "gsed") return refuseSed(args);
  if (WRITES_SECOND.has(program) && args.filter((arg) => !/^-./.test(arg)).length > 1)
    return `${program} writes its second file; use a redirection`;
  if (program === "tar" || program === "gtar" || program === "bsdtar") return refuseTar(args);
  const rule = RULES.get(program);
  return rule === undefined ? undefined : refuseOptions(program, args, rule);
}

const RULES: ReadonlyMap<string, OptionRule> = new Map<string, OptionRule>([
  [
    "find",
    {
      words: ["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"],
    },
  ],
  ["fd", { long: ["--exec", "--exec-batch"], short: "xX" }],
  ["fdfind", { long: ["--exec", "--exec-batch"], short: "xX" }],
  ["rg", { long: ["--pre", "--hostname-bin"] }],
  ["ag", { long: ["--pager"] }],
  ["ack", { long: ["--pager"] }],
  ["bat", { long: ["--pager"] }],
  ["batcat", { long: ["--pager"] }],
  ["sort", { long: ["--compress-program", "--output"], short: "o" }],
  ["shuf", { long: ["--output"], short: "o" }],
  ["iconv", { long: ["--output"], short: "o" }],
  ["yq", { long: ["--inplace", "--split-exp"], short: "is" }],
  ["split", { long: ["--filter"] }],
  ["zip", { long: ["--unzip-command"], short: "T" }],
  ["rsync", { long: ["--rsh", "--rsync-path", "--config"], short: "e" }],
  ["ssh", { short: "oFSJDEI" }],
  ["scp", { short: "oFSJD" }],
  ["wget", { long: ["--use-askpass", "--execute", "--config"], short: "e" }],
  ["curl", { long: ["--config", "--engine"], short: "K" }],
  ["patch", { long: ["--ed", "--output"], short: "eo" }],
  ["diff", { long: ["--paginate", "--output"], short: "l" }],
  ["diff3", { long: ["--diff-program"] }],
  ["sdiff", { long: ["--diff-program", "--output"], short: "o" }],
  ["date", { long: ["--set"], short: "s" }],
  ["tree", { short: "oR" }],
  ["ctags", { long: ["--options"] }],
  ["cpio", { long: ["--rsh-command"] }],
  ["xmllint", { long: ["--shell", "--output"] }],
  ["jq", { long: ["--from-file"], short: "fL" }],
]);

/** `uniq in out` looks like reading and is not. */
const WRITES_SECOND: ReadonlySet<string> = new Set(["uniq", "xxd"]);

const TAR: OptionRule = {
  long: [
    "--to-command",
    "--checkpoint-action",
    "--use-compress-program",
    "--rsh-command",
    "--rmt-command",
    "--info-script",
    "--new-volume-script",
  ],
  short: "IF",
};

/** `tar cIf prog` has no dash; `host:file` is an archive behind `ssh`. */
function refuseTar(args: readonly string[]): string | undefined {
  const [first] = args;
  if (first !== undefined && !first.startsWith("-") && /[IF]/.test(first))
    return "tar -I and -F are refused: they run another program";
  if (args.some((arg) => /^[^/]*:/.test(arg))) return "tar: an archive with a colon may be on another host";
  return refuseOptions("tar", args, TAR);
}

/** `sed` runs programs (`e`) and writes files (`w`, `-i`): only prints, deletions and plain substitutions are accepted. */
function refuseSed(args: readonly string[]): string | undefined {
  const [script, ...files] = args.filter((arg) => !SED_OPTIONS.has(arg));
  if (script === undefined || !SED_SCRIPT.test(script))
    return "sed is accepted for one simple print, deletion or substitution, without -i and -e";
  return files.some((file) => file.startsWith("-")) ? "sed: options stand before the script" : undefined;
}

const SED_OPTIONS: ReadonlySet<string> = new Set(["-n", "-E", "-r", "-nE", "-En", "-nr"]);
const SED_ADDRESS = String.raw`(\d+|\$)(,(\d+|\$))?`;
const SED_SCRIPT = new RegExp(
  String.raw`^(${SED_ADDRESS})?(p|d|q)$|^(${SED_ADDRESS})?s/[^/\\\n]*/[^/\\\n]*/[gIip]*$`,
);
