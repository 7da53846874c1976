// More ways around a list of programs: `--` as the value of an option, shortened and bundled options, look-alikes,
// paths to programs, files as descriptors. None may be accepted, and each refusal says why.

import { expect, test } from "bun:test";
import { judgeCommand } from "./command.ts";

const ALLOW = [
  "git",
  "bun",
  "find",
  "cat",
  "tar",
  "sort",
  "rg",
  "fd",
  "split",
  "zip",
  "echo",
  "test",
  "printf",
  "sftp",
  "diff3",
  "ag",
];

/** A command line and what its reason must say. */
const EVASIONS: readonly (readonly [string, string])[] = [
  // `--` is taken as the value of the option before it, so that options go on behind it.
  ["git log --grep -- --output=/tmp/x", "--output"],
  ["git fetch -o -- --upload-pack=./x .", "--upload-pack"],
  ["git fetch --server-option -- --upload-pack=./x .", "--upload-pack"],
  ["git ls-remote -o -- --exec=./x .", "--exec"],
  ["git push -o -- --receive-pack=./x .", "--receive-pack"],
  ["git push --push-option -- --exec=./x .", "--exec"],
  ["git clone -b -- -c core.fsmonitor=./x . d", "-c"],
  ["git clone --server-option -- -u ./x . d", "-u"],
  ["git rebase --onto -- --exec ./x HEAD~1", "--exec"],
  ["git rebase --onto -- -x ./x HEAD~1", "-x"],
  ["git commit -m -- --template=./x", "--template"],
  ["git grep -e -- -O./x .", "-O"],
  ["find . -name -- -exec rm {} +", "find -exec"],
  ["find -D exec -- -exec rm {} +", "find -exec"],
  ["find -- . -delete", "find -delete"],
  ["fd -e -- -x rm", "fd -x"],
  ["fd -E -- --exec-batch rm", "fd --exec-batch"],
  ["rg -e -- --pre=./x y", "--pre"],
  ["sort -T -- -o /etc/x f", "-o"],
  ["sort -S -- --compress-program=./x f", "--compress-program"],
  ["tar -xf a.tar -C -- --to-command=./x", "--to-command"],
  ["tar -xf a.tar --exclude -- -I ./x", "-I"],
  ["split -b -- --filter=./x f", "--filter"],
  ["zip a b -- -TT ./x", "-T"],
  // Programs that start others for what stands in their input or in an option.
  ["printf '!rm x' | sftp host", "sftp starts other programs"],
  ["diff3 --diff-program=./x a b c", "--diff-program"],
  ["ag --pager ./x pattern", "--pager"],
  // Transports and repositories, however they are spelt.
  ["git push --repo=ext::./x", "transport"],
  ["git push --repo ext::./x", "transport"],
  ["git remote add x -- ext::./x", "transport"],
  ["git remote -v add x ext::./x", "transport"],
  ["git submodule add ext::./x y", "transport"],
  ["git remote add -f x fd::7", "transport"],
  ["git clone --recurse-submodules -lcx.y=z a", "-c"],
  ["git fetch --uplo ./x", "--upload-pack"],
  ["git ls-remote --u=./x", "--upload-pack"],
  ["git pull -s./x", "-s"],
  ["git format-patch -1ko/tmp", "-o"],
  ["git log --help", "--help"],
  ["git --paginate log", "git --paginate"],
  ["git --list-cmds=main", "git --list-cmds"],
  ["git -- status", "git --"],
  ["git '' status", "not on the list"],
  // Paths to what decides what git runs: `git mv` moves first and looks then.
  ["git mv evil .git", "git's own data"],
  ["git mv evil ./sub/.git", "git's own data"],
  ["git mv evil sub/.GIT/", "git's own data"],
  ["git mv -- evil sub/.git/hooks", "git's own data"],
  ["git clone ./evil .git", "git's own data"],
  ["git worktree add -b x .git", "git's own data"],
  ["git init .git", "git's own data"],
  ["git bisect -- run ./x", "bisect --"],
  ["git submodule foreach -- ./x", "submodule foreach"],
  ["git GREP -O./x p", "not on the list"],
  // Names of programs.
  ["git/../rm x", "not one of the allowed"],
  ["./../bin/git status", "allowed by name"],
  ["/usr/bin/../../tmp/git status", "allowed by name"],
  ["git/ status", "no program"],
  ["'git status'", "not one of the allowed"],
  ["g\u200bit status", "not one of the allowed"],
  ["gi\u0442 status", "not one of the allowed"],
  ["git\u00a0status", "not one of the allowed"],
  ["=git status", "not one of the allowed"],
  ["a\\=b git status", "not one of the allowed"],
  ["bunx evil", "not one of the allowed"],
  // Shell syntax in disguise.
  ["git status {a','b}", "brace expansion"],
  ["git status @(a|b)", "subshell"],
  ["git status ?(a)", "subshell"],
  ["git status !(x)", "subshell"],
  ["git status ~root", "`~`"],
  ["git log !$", "`$`"],
  ["git status > out;rm x", "not one of the allowed"],
  ["echo a 10> x", "descriptor 10"],
  ["echo a >&-", "only `2>&1`"],
  ["echo a >& x", "only `2>&1`"],
  ["echo a 1>&2-", "only `2>&1`"],
  ["git status\u000brm x", "control character"],
  ["git status\u2028; rm x", "judged subcommands"],
  ["time git status", "starts other programs"],
  ["then git status", "needs a shell"],
  ["git status && && git log", "no command before"],
];

test("judgeCommand() refuses what only looks accepted, and says why", () => {
  const wrong = EVASIONS.flatMap(([command, why]) => {
    const judged = judgeCommand(command, { allow: ALLOW, deny: [] });
    if (judged.ok) return [`ACCEPTED ${command}`];
    return judged.reason.includes(why) ? [] : [`${command}: ${judged.reason}`];
  });
  expect(wrong).toEqual([]);
});

test("judgeCommand() judges arguments whatever the case of the program: there are file systems without", () => {
  const judged = judgeCommand("GIT -c alias.x=!rm x", { allow: "all", deny: ["rm"] });
  expect(judged).toEqual({ ok: false, target: "GIT", reason: "git -c before the subcommand is refused" });
});

/** Look-alikes of operators are plain text to the shell, and stay it. */
test("judgeCommand() takes full-width signs for the text they are", () => {
  const judged = judgeCommand("git status \uff1b rm", { allow: ALLOW, deny: [] });
  expect(judged.ok && judged.line.commands.length).toBe(1);
});
