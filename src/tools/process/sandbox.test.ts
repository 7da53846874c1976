// Real commands inside bubblewrap. Where it cannot run, the reason is printed and the tests are skipped.

import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type AppError, messageOf } from "../../base/errors.ts";
import { DEFAULT_SETTINGS } from "../../settings/settings.ts";
import { tempDir } from "../../testing/temp.ts";
import { type ToolPlaceOptions, toolPlace } from "../../testing/tool-place.ts";
import { buildPermissions } from "../permissions/build.ts";
import { sandboxed } from "./sandbox.ts";

async function reasonAgainst(): Promise<string | undefined> {
  try {
    using _place = await toolPlace({ grants: { run: true }, sandbox: true });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

const reason = await reasonAgainst();
if (reason !== undefined) console.error(`sandbox tests skipped: ${reason}`);
const testSandbox = test.skipIf(reason !== undefined);

const boxed = (grants: ToolPlaceOptions["grants"] = {}) =>
  toolPlace({ grants: { run: true, ...grants }, sandbox: true });

testSandbox("the sandbox lets only the write grants be written", async () => {
  using place = await boxed({ write: ["out"] });
  mkdirSync(join(place.cwd, "out"));
  const command = "touch out/a && echo ok; touch b /etc/x 2>&1 | sed 's/.*: //'";
  expect(await place.text("bash", { command })).toBe("ok\nRead-only file system\nRead-only file system");
  expect(existsSync(join(place.cwd, "out/a"))).toBe(true);
});

testSandbox("the sandbox has a private /tmp and /run, and hides what must not be read", async () => {
  using place = await toolPlace({
    grants: { run: true, write: true, deny: { read: ["secret"], write: undefined, run: undefined } },
    sandbox: true,
  });
  place.write("secret/key", "SECRET");
  writeFileSync("/tmp/agent-sandbox-test", "");
  using again = await toolPlace({
    grants: { run: true, deny: { read: [join(place.cwd, "secret")], write: undefined, run: undefined } },
    sandbox: true,
  });
  const command = `ls /tmp | grep -c agent-sandbox-test; ls /run | wc -l; cat ${place.cwd}/secret/key 2>&1 | sed 's/.*: //'`;
  expect(await again.text("bash", { command })).toBe("0\n0\nNo such file or directory");
});

testSandbox(
  "the sandbox keeps hooks, git's settings and agent's own read-only inside a write grant",
  async () => {
    using place = await toolPlace({ grants: { run: true } });
    for (const name of [".git/hooks/x", ".git/config", ".agent/config.jsonc", ".git/HEAD"])
      place.write(name, "old");
    using again = await boxed({ write: [place.cwd] });
    const command = `cd ${place.cwd} && for f in .git/hooks/x .git/config .agent/config.jsonc .git/HEAD; do (echo new > $f) 2>/dev/null && echo $f; done`;
    expect(await again.text("bash", { command })).toBe(".git/HEAD");
    expect(readFileSync(join(place.cwd, ".git/config"), "utf8")).toBe("old");
  },
);

testSandbox("the sandbox keeps hooks and git's settings where they are, in a work tree too", async () => {
  const renames =
    "mv .git away; rm -rf .git/hooks; mkdir -p .git/hooks; echo evil > .git/hooks/x; echo evil > .git";
  for (const files of [[".git/hooks/x", ".git/config"], [".git/config"], [".git"]]) {
    for (const write of [true, [".."], ["/"]]) {
      using dir = tempDir();
      for (const name of files) dir.write(`project/${name}`, "old");
      using place = await toolPlace({ root: dir.path, grants: { run: true, write }, sandbox: true });
      await place.call("bash", { command: `(${renames}) 2>/dev/null; touch written` });
      const kept = files.map((name) => readFileSync(join(place.cwd, name), "utf8"));
      const made = readdirSync(place.cwd).sort();
      const hooks = existsSync(join(place.cwd, ".git/hooks"))
        ? readdirSync(join(place.cwd, ".git/hooks"))
        : [];
      expect({ files, write, kept, made, hooks }).toEqual({
        files,
        write,
        kept: files.map(() => "old"),
        made: [".git", "written"],
        hooks: files.length === 2 ? ["x"] : [],
      });
    }
  }
});

testSandbox("the sandbox keeps the working directory where it is inside a wider grant", async () => {
  using dir = tempDir();
  dir.write("home/work/project/.git/config", "old");
  using place = await toolPlace({
    root: join(dir.path, "home/work"),
    grants: { run: true, write: [dir.path] },
    sandbox: true,
  });
  const fake = "cd ../../.. && mv home/work home/away; mkdir -p home/work/project/.git/hooks";
  await place.call("bash", { command: fake });
  expect(readFileSync(join(place.cwd, ".git/config"), "utf8")).toBe("old");
});

testSandbox("the sandbox stays one when everything may be written", async () => {
  using place = await toolPlace({ all: true, sandbox: true });
  const command =
    "touch here && ls /proc | grep -c '^[0-9]'; ls /run | wc -l; ls /tmp | grep -c -v agent-test";
  const [first, ...rest] = (await place.text("bash", { command })).split("\n");
  expect(Number(first)).toBeLessThan(12);
  expect(rest).toEqual(["0", "0", "Command exited with code 1"]);
  expect(existsSync(join(place.cwd, "here"))).toBe(true);
});

testSandbox("the sandbox hides the user's secrets unless they are named", async () => {
  using dir = tempDir();
  dir.write("home/.ssh/id_rsa", "KEY");
  dir.write("home/.netrc", "PASSWORD");
  const command = "cat ~/.ssh/id_rsa ~/.netrc";
  const texts: string[] = [];
  for (const read of [true, [join(dir.path, "home/.ssh")]]) {
    using place = await toolPlace({
      root: dir.path,
      grants: { run: true, read, write: [join(dir.path, "home")] },
      sandbox: true,
    });
    texts.push(await place.text("bash", { command }));
  }
  expect(texts.map((text) => [text.includes("KEY"), text.includes("PASSWORD")])).toEqual([
    [false, false],
    [true, false],
  ]);
});

testSandbox("the sandbox grants nothing by a link that a command put where a grant was missing", async () => {
  using place = await boxed({ write: ["out", "out/gen", "out/deep/gen"] });
  for (const name of ["out/deep/gen/x", "closed/x", "closed/gen/x"]) place.write(name, "old");
  const swap = "ln -s ../closed out/gen && mv out/deep out/away && ln -s ../closed out/deep";
  expect((await place.call("bash", { command: swap })).isError).toBe(false);
  const write = "for f in out/gen/x out/deep/gen/x closed/x; do (echo new > $f) 2>/dev/null && echo $f; done";
  expect(await place.text("bash", { command: `${write}; echo end` })).toBe("end");
  expect(readFileSync(join(place.cwd, "closed/gen/x"), "utf8")).toBe("old");
});

testSandbox("the sandbox keeps what is denied deep inside a grant where it is", async () => {
  const deny = { read: ["a/b/secret"], write: ["a/c/locked"], run: undefined };
  for (const write of [["."], [".", "a"], [".."], ["/"]]) {
    using place = await boxed({ write, deny });
    place.write("a/b/secret", "SECRET");
    place.write("a/c/locked/x", "old");
    const renames = "for d in a/b/secret a/b a/c/locked a/c a .; do mv $d away; done";
    await place.call("bash", { command: `(${renames}) 2>/dev/null` });
    const command = "grep -rs SECRET . && echo found; (echo new > a/c/locked/x) 2>/dev/null || echo kept";
    expect(await place.text("bash", { command })).toBe("kept");
    expect(readFileSync(join(place.cwd, "a/c/locked/x"), "utf8")).toBe("old");
    expect(readFileSync(join(place.cwd, "a/b/secret"), "utf8")).toBe("SECRET");
  }
});

testSandbox("the sandbox hides and protects what links lead to", async () => {
  using dir = tempDir();
  for (const name of ["dot/ssh/id_rsa", "dot/npmrc", "home/x", "project/x"]) dir.write(name, "SECRET");
  for (const name of ["hooks/x", "agent/x", "git/x"]) dir.write(`project/shared/${name}`, "old");
  dir.write("project/.git/HEAD", "");
  const link = (to: string, from: string) => symlinkSync(join(dir.path, to), join(dir.path, from));
  link("dot/ssh", "home/.ssh");
  link("dot/npmrc", "home/.npmrc");
  link("project/shared/hooks", "project/.git/hooks");
  link("project/shared/agent", "project/.agent");
  using place = await toolPlace({
    root: dir.path,
    grants: { run: true, write: [dir.path] },
    sandbox: true,
  });
  const read = `cat ~/.ssh/id_rsa ~/.npmrc ${dir.path}/dot/ssh/id_rsa ${dir.path}/dot/npmrc`;
  expect(await place.text("bash", { command: `(${read}) 2>&1 | grep -c SECRET` })).toStartWith("0\n");
  const write =
    "for f in shared/hooks/x .agent/x shared/git/x; do (echo new > $f) 2>/dev/null && echo $f; done";
  expect(await place.text("bash", { command: write })).toBe("shared/git/x");
});

testSandbox("the sandbox keeps denied paths read-only inside a write grant", async () => {
  using place = await toolPlace({
    grants: { run: true, write: true, deny: { read: undefined, write: ["locked"], run: undefined } },
    sandbox: true,
  });
  place.write("locked/a", "old");
  expect(await place.text("bash", { command: "touch free; echo new > locked/a" })).toContain(
    "Read-only file system",
  );
  expect(readFileSync(join(place.cwd, "locked/a"), "utf8")).toBe("old");
  expect(existsSync(join(place.cwd, "free"))).toBe(true);
});

testSandbox("the sandbox has no network unless it is granted", async () => {
  const server = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const command = `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached || echo cut off`;
  using alone = await boxed();
  using online = await boxed({ net: true });
  const texts = [await alone.text("bash", { command }), await online.text("bash", { command })];
  server.close();
  expect(texts).toEqual(["cut off", "reached"]);
});

testSandbox("the sandbox sees only its own processes, and ends them with the command", async () => {
  using place = await boxed({ write: true });
  const command =
    "setsid env -i bash -c 'sleep 300; touch late' >/dev/null 2>&1 & ls /proc | grep -c '^[0-9]'";
  const result = await place.call("bash", { command });
  expect(result.details).toMatchObject({ exitCode: 0 });
  expect(result.details?.["background"]).toBeUndefined();
  const [block] = result.content;
  expect(Number(block?.type === "text" ? block.text : "99")).toBeLessThan(10);
});

testSandbox(
  "the sandbox ends with everything in it at a timeout, also what cleared its environment",
  async () => {
    using place = await boxed({ write: true });
    await place.call("bash", { command: "setsid env -i sleep 4711 & sleep 300", timeout: 0.5 });
    const { stdout } = Bun.spawnSync([
      "bash",
      "-c",
      "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -c 'sleep 471[1]'",
    ]);
    expect(stdout.toString().trim()).toBe("0");
  },
);

testSandbox("the sandbox lets programs read what the run keeps, and not write it", async () => {
  using place = await toolPlace({
    grants: { run: true, write: true },
    runFiles: ["s.jsonl", "missing.json"],
    sandbox: true,
  });
  const file = place.write("s.jsonl", "kept");
  const command =
    "cat s.jsonl; echo x > s.jsonl; rm -f s.jsonl; mv other s.jsonl; echo y > other && cat other";
  expect(await place.text("bash", { command })).toMatch(/^kept.*y$/s);
  expect(readFileSync(file, "utf8")).toBe("kept");
});

testSandbox("the sandbox takes limited commands with redirections to checked files", async () => {
  using place = await toolPlace({ grants: { run: ["echo", "cat"], write: true }, sandbox: true });
  expect(await place.text("bash", { command: "echo x > a.txt && cat < a.txt" })).toBe("x");
  place.write("pkg/b.txt", "B");
  expect(await place.text("bash", { command: "cd pkg && cat b.txt && pwd" })).toBe(`B${place.cwd}/pkg`);
});

test("sandboxed() takes no bubblewrap that a command could have made, and finds the system's from anywhere", () => {
  using dir = tempDir();
  const [system, bin] = [dir.path, join(dir.path, "bin")];
  for (const path of ["bwrap", "bin/bwrap"]) chmodSync(dir.write(path, ""), 0o755);
  const found = (cwd: string, write: readonly string[]) => {
    const none = DEFAULT_SETTINGS.permissions;
    const base = { cwd, home: "/nowhere", env: { PATH: `${bin}:${system}` } };
    const permissions = buildPermissions({ settings: none, flags: { ...none, write }, all: false, ...base });
    return sandboxed(["true"], { ...base, realCwd: cwd, permissions })[0];
  };
  const wanted = join(system, "bwrap");
  expect([found(bin, []), found("/usr", [bin])]).toEqual([wanted, wanted]);
  expect(found("/", [])).toBe(join(bin, "bwrap"));
});

test("--sandbox is an error where bubblewrap is missing", async () => {
  const failure = toolPlace({ grants: { run: true }, sandbox: true, env: { PATH: "/nowhere" } });
  expect(
    await failure.then(
      () => undefined,
      (error: unknown) => error,
    ),
  ).toMatchObject({
    kind: "failed",
    message: "--sandbox cannot be used here: bubblewrap (bwrap) is not installed",
  } satisfies Partial<AppError>);
});
