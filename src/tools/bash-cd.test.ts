// A list of programs with `cd dir &&` before them: it leads where the run may be, and nothing there means more.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../model/messages.ts";
import { tempDir } from "../testing/temp.ts";
import { type ToolPlace, toolPlace } from "../testing/tool-place.ts";

async function run(place: ToolPlace, command: string) {
  const { content, isError, denied } = await place.call("bash", { command });
  return { text: textOf(content), isError, denied };
}

test("bash limits: cd at the beginning says where the line runs, and only that line", async () => {
  using place = await toolPlace({ grants: { run: ["cat"] } });
  place.write("pkg/sub/a", "A");
  symlinkSync("pkg", join(place.cwd, "link"));
  const where = async (command: string) => (await run(place, command)).text.replaceAll(place.cwd, "/T");
  expect(await where("cd pkg && pwd")).toBe("/T/pkg");
  expect(await where("cd pkg\npwd")).toBe("/T/pkg");
  expect(await where("cd pkg && cd sub; pwd && cat a")).toBe("/T/pkg/sub\nA");
  expect(await where("cd link && cat < sub/a")).toBe("A");
  expect(await where(`cd ${place.cwd} && cd ./pkg/../pkg/sub && pwd`)).toBe("/T/pkg/sub");
  expect(await where("pwd")).toBe("/T");
});

test("bash limits: after cd a redirection is judged, and made, where the line runs", async () => {
  using place = await toolPlace({ grants: { run: ["cat"], write: ["pkg"] } });
  mkdirSync(join(place.cwd, "pkg"));
  expect((await run(place, "cd pkg && echo x > out && cat out")).text).toBe("x");
  expect(readFileSync(join(place.cwd, "pkg/out"), "utf8")).toBe("x\n");
  expect((await run(place, "cd pkg && echo x > ../out")).denied).toMatchObject({ permission: "write" });
});

test("bash limits: cd leads nowhere that may not be read, nor to what decides what runs", async () => {
  const deny = { read: ["closed"], write: undefined, run: undefined };
  using place = await toolPlace({ grants: { run: ["cat"], deny } });
  for (const name of ["closed", ".git/hooks", ".agent/rules", ".ssh"])
    mkdirSync(join(place.cwd, name), { recursive: true });
  symlinkSync(place.outside, join(place.cwd, "out"));
  symlinkSync(".git", join(place.cwd, "data"));
  const targets = [
    ...["..", "out", "/", place.outside, "../outside", "../missing", "out/missing"],
    ...["closed", ".git", "data", "data/hooks", ".agent", ".agent/rules", ".ssh"],
  ];
  const ends = await Promise.all(targets.map((target) => run(place, `cd ${target} && pwd`)));
  expect(targets.filter((_, index) => ends[index]?.denied === undefined)).toEqual([]);
});

test("bash limits: cd leads where reading was granted", async () => {
  using place = await toolPlace({ grants: { run: ["cat"], read: ["../outside"] } });
  mkdirSync(join(place.cwd, "pkg"));
  expect((await run(place, "cd ../outside && pwd")).text).toBe(place.outside);
  expect((await run(place, "cd pkg && pwd")).text).toBe(join(place.cwd, "pkg"));
});

test("bash limits: cd to the working directory is no change, whatever that is called", async () => {
  using dir = tempDir();
  const cwd = join(dir.path, ".agent/project");
  mkdirSync(cwd, { recursive: true });
  using place = await toolPlace({ root: join(dir.path, ".agent"), grants: { run: ["cat"] } });
  expect([await run(place, "cd . && pwd"), await run(place, `cd ${cwd} && pwd`)]).toEqual(
    Array(2).fill({ text: cwd, isError: false, denied: undefined }),
  );
});

test("bash limits: a directory that is missing, or cd alone, is a mistake and no denial", async () => {
  using place = await toolPlace({ grants: { run: ["cat"] } });
  place.write("file", "");
  for (const name of ["missing", "file"])
    expect(await run(place, `cd ${name} && pwd`)).toEqual({
      text: `Cannot run the command: cd: there is no directory ${join(place.cwd, name)}`,
      isError: true,
      denied: undefined,
    });
  const alone = await run(place, "cd .");
  expect([alone.isError, alone.denied]).toEqual([true, undefined]);
  expect(alone.text).toContain("Write cd <dir> && and the command in one line");
});

test("bash limits: a program that is allowed by a path from the working directory is not another one after cd", async () => {
  using place = await toolPlace({ grants: { run: ["./tool"] } });
  for (const file of ["tool", "pkg/tool"]) chmodSync(place.write(file, `#!/bin/sh\necho ${file}\n`), 0o755);
  expect((await run(place, "./tool")).text).toBe("tool");
  expect((await run(place, `cd ${place.cwd} && ./tool`)).text).toBe("tool");
  expect((await run(place, "cd pkg && ./tool")).denied).toMatchObject({ target: "./tool" });
});

test("bash limits: cd does not lead into another repository, nor what would be taken for one", async () => {
  using place = await toolPlace({ grants: { run: ["git", "cat"], write: true } });
  const init = (directory: string) => spawnSync("git", ["init", "-q", directory], { cwd: place.cwd });
  init(".");
  init("vendor/evil");
  mkdirSync(join(place.cwd, "vendor/evil/deep"));
  const monitor = ["config", "core.fsmonitor", `touch ${place.cwd}/owned; false`];
  spawnSync("git", monitor, { cwd: join(place.cwd, "vendor/evil") });
  for (const command of ["git status", "cat a", "pwd"])
    expect((await run(place, `cd vendor/evil/deep && ${command}`)).denied?.reason).toStartWith(
      `${join(place.cwd, "vendor/evil")} is another repository`,
    );
  for (const [path, content] of Object.entries({
    HEAD: "ref: refs/heads/x\n",
    "objects/x": "",
    "refs/x": "",
  }))
    place.write(`bare/${path}`, content);
  expect((await run(place, "cd bare && pwd")).denied?.reason).toStartWith(`${join(place.cwd, "bare")} is`);
  const made = "cd vendor && echo x > HEAD && echo > objects/x && echo > refs/x && cat HEAD";
  expect((await run(place, made)).denied?.reason).toStartWith(`${join(place.cwd, "vendor")} is`);
  expect((await run(place, "cd src && git status")).denied).toBeUndefined();
  mkdirSync(join(place.cwd, "src"));
  expect((await run(place, "cd src && git status --short --branch")).text).toStartWith("## No commits yet");
  expect(existsSync(join(place.cwd, "owned"))).toBe(false);
});

test("bash limits: test that nothing names tells nothing of what may not be read", async () => {
  using place = await toolPlace({ grants: { run: ["cat"] } });
  place.write("a", "A");
  expect((await run(place, "test -f a && [ ! -e b ] && echo yes")).text).toBe("yes");
  expect((await run(place, "test -d a || echo no")).text).toBe("no");
  for (const path of ["/etc/passwd", "../outside", "../missing", ".env", "~/.ssh".replace("~", "/root")])
    expect((await run(place, `test -e ${path}`)).denied).toMatchObject({ permission: "read" });
});

test("bash limits: what bash's own words would evaluate is text", async () => {
  using place = await toolPlace({ grants: { run: ["git"], write: true } });
  for (const command of [
    "printf -v 'x[$(touch owned)]' y",
    "printf '%n' 'x[$(touch owned)]'",
    "printf '%d' 'x[$(touch owned)]'",
    "echo 'x[$(touch owned)]'",
    ": 'x[$(touch owned)]'",
  ])
    expect((await run(place, command)).denied).toBeUndefined();
  expect(existsSync(join(place.cwd, "owned"))).toBe(false);
  expect((await run(place, "printf -v PATH /evil; echo done")).text).toEndWith("done");
});
