// `--allow-run=git` is git and nothing that a repository names: hooks, and settings of what only looks like a repository.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { textOf } from "../model/messages.ts";
import { type ToolPlace, toolPlace } from "../testing/tool-place.ts";

async function run(place: ToolPlace, command: string) {
  const { content, isError } = await place.call("bash", { command });
  return { text: textOf(content), isError };
}

test("bash limits: hooks of git do not run, wherever git is told to find them", async () => {
  using place = await toolPlace({ grants: { run: ["git"], write: true } });
  const script =
    "git init -q && git config core.hooksPath hooks && git config user.email a@b.c && git config user.name n";
  spawnSync("bash", ["-c", script], { cwd: place.cwd });
  chmodSync(place.write("hooks/pre-commit", "#!/bin/sh\ntouch owned\n"), 0o755);
  expect((await run(place, "git add . && git commit -q -m x && git log --format=%s")).text).toBe("x");
  expect(existsSync(join(place.cwd, "owned"))).toBe(false);
});

test("bash limits: a push runs no hooks of a repository that the working directory brings along", async () => {
  using place = await toolPlace({ grants: { run: ["git"] } });
  const script = "git init -q && git -c user.email=a@b.c -c user.name=n commit -q --allow-empty -m x";
  spawnSync("bash", ["-c", `${script} && git init -q --bare evil.git`], { cwd: place.cwd });
  chmodSync(place.write("evil.git/hooks/pre-receive", `#!/bin/sh\ntouch ${place.cwd}/owned\n`), 0o755);
  const pushes = ["./evil.git", "evil.git", "file://$PWD/evil.git".replace("$PWD", place.cwd)];
  for (const to of pushes)
    expect((await run(place, `git push ${to} HEAD:refs/heads/x`)).text).toContain(
      "transport 'file' not allowed",
    );
  expect(existsSync(join(place.cwd, "owned"))).toBe(false);
  expect((await run(place, "git clone -q ./evil.git copy")).isError).toBe(false);
});

/** What git takes for a repository, and would run its monitor: no file of it has a name that is protected. */
const DISGUISED: Readonly<Record<string, string>> = {
  HEAD: "ref: refs/heads/main\n",
  config: '[core]\nbare = false\nworktree = .\nfsmonitor = "touch owned; false"\n',
  "objects/x": "",
  "refs/x": "",
};

test("bash limits: files that look like a repository are none for git", async () => {
  using place = await toolPlace({ grants: { run: ["git"], write: true } });
  for (const [path, content] of Object.entries(DISGUISED))
    expect((await place.call("write", { path, content })).isError).toBe(false);
  expect((await place.call("bash", { command: "git status" })).denied).toEqual({
    permission: "run",
    target: "git",
    reason: `git would take ${place.cwd} for a repository, whose settings anybody who writes files there decides`,
  });
  expect(existsSync(join(place.cwd, "owned"))).toBe(false);
});

const version = spawnSync("git", ["--version"], { encoding: "utf8" }).stdout;
const [major = 0, minor = 0] = (/\d+\.\d+/.exec(version)?.[0] ?? "").split(".").map(Number);
const canBeTold = major > 2 || (major === 2 && minor >= 38);
if (!canBeTold) console.error(`skipped: ${version.trim()} cannot be told to leave bare repositories alone`);

test.skipIf(!canBeTold)(
  "bash limits: nor are they if git itself puts them there in the same line",
  async () => {
    using place = await toolPlace({ grants: { run: ["git"], write: true } });
    for (const [path, content] of Object.entries(DISGUISED)) place.write(`evil/${path}`, content);
    spawnSync("bash", ["-c", "git init -q && git add ."], { cwd: dirname(place.cwd) });
    const command = "git mv evil/HEAD evil/config evil/objects evil/refs . && git status";
    expect((await run(place, command)).text).toContain("cannot use bare repository");
    expect(existsSync(join(place.cwd, "owned"))).toBe(false);
  },
);

test("bash limits: a repository around the working directory is one, with a bare one beside it", async () => {
  using place = await toolPlace({ grants: { run: ["git"] } });
  spawnSync("bash", ["-c", "git init -q && git init -q --bare project/bare.git"], {
    cwd: dirname(place.cwd),
  });
  expect((await run(place, "git rev-parse --show-prefix")).text).toBe("project/");
});
