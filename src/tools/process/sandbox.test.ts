// Real commands inside bubblewrap: what they see, what they reach, and how they end.

import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { AppError } from "../../base/errors.ts";
import { DEFAULT_SETTINGS } from "../../settings/settings.ts";
import { boxed, testSandbox } from "../../testing/sandbox.ts";
import { tempDir } from "../../testing/temp.ts";
import { toolPlace } from "../../testing/tool-place.ts";
import { buildPermissions } from "../permissions/build.ts";
import { sandboxed } from "./sandbox.ts";

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
  using outside = tempDir("/tmp");
  outside.write("file", "");
  using again = await toolPlace({
    grants: { run: true, deny: { read: [join(place.cwd, "secret")], write: undefined, run: undefined } },
    sandbox: true,
  });
  const command = `ls ${outside.path} 2>/dev/null | wc -l; ls /run | wc -l; cat ${place.cwd}/secret/key 2>&1 | sed 's/.*: //'`;
  expect(await again.text("bash", { command })).toBe("0\n0\nNo such file or directory");
});

testSandbox("the sandbox takes a file as a write grant", async () => {
  using place = await toolPlace({ grants: { run: true } });
  place.write("out.txt", "old");
  using boxes = await boxed({ write: [join(place.cwd, "out.txt")] });
  expect(await boxes.text("bash", { command: `echo new > ${place.cwd}/out.txt` })).toBe("(no output)");
  expect(readFileSync(join(place.cwd, "out.txt"), "utf8")).toBe("new\n");
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
    using box = sandboxed(["true"], { ...base, realCwd: cwd, permissions });
    return box.command[0];
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
