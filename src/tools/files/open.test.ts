// Which file is opened is what was checked, whatever the path looks like and whatever changes meanwhile.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { toolPlace } from "../../testing/tool-place.ts";
import { readAll } from "./content.ts";
import { openCompared, openFile } from "./open.ts";

const DENIED = "Permission denied: read";

test("read is denied for every way out of the working directory", async () => {
  using place = await toolPlace();
  writeFileSync(join(place.outside, "secret"), "SECRET");
  symlinkSync(join(place.outside, "secret"), join(place.cwd, "file-link"));
  symlinkSync("../outside/secret", join(place.cwd, "relative-link"));
  symlinkSync(place.outside, join(place.cwd, "directory-link"));
  symlinkSync("file-link", join(place.cwd, "link-to-link"));
  symlinkSync(join(place.outside, "not-there"), join(place.cwd, "dangling"));
  const ways = [
    "../outside/secret",
    "./../outside/secret",
    "sub/../../outside/secret",
    `${place.outside}/secret`,
    `//${place.outside}/secret`,
    "file-link",
    "relative-link",
    "directory-link/secret",
    "link-to-link",
    "dangling",
    `/proc/self/root${place.outside}/secret`,
    `/proc/self/cwd/../../../../../../../..${place.outside}/secret`,
    "/proc/self/environ",
    "/proc/self/mem",
    "/dev/null",
    "/dev/stdin",
    "/etc/hostname",
    "~/x",
    `${place.cwd}/../outside/secret`,
    `${place.cwd}-other/x`,
  ];
  const texts = await Promise.all(
    ways.map(async (path) => ({ path, text: await place.text("read", { path }) })),
  );
  expect(texts.filter(({ text }) => !text.startsWith(DENIED))).toEqual([]);
});

test("read follows links that stay inside", async () => {
  using place = await toolPlace();
  place.write("a/real.txt", "here");
  symlinkSync("a", join(place.cwd, "b"));
  symlinkSync("b/real.txt", join(place.cwd, "c"));
  expect(await place.text("read", { path: "c" })).toBe("here");
});

test("read says what is wrong with paths that are no readable file", async () => {
  using place = await toolPlace();
  mkdirSync(join(place.cwd, "dir"));
  symlinkSync("loop", join(place.cwd, "loop"));
  place.write("file", "x");
  spawnSync("mkfifo", [join(place.cwd, "fifo")]);
  const server = createServer().listen(join(place.cwd, "socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  const paths = ["dir", "loop", "file/", "file/x", "fifo", "socket", "missing", "", "a\0b", "x".repeat(300)];
  const texts = await Promise.all(paths.map((path) => place.text("read", { path })));
  server.close();
  expect(texts).toEqual([
    `Cannot read dir: ${place.cwd}/dir is a directory; ls lists it`,
    "Cannot read loop: too many symbolic links",
    "Cannot read file/: it is a file, not a directory",
    "Cannot read file/x: a part of the path is not a directory",
    `Cannot read fifo: ${place.cwd}/fifo is not a regular file but a named pipe`,
    `Cannot read socket: ${place.cwd}/socket is not a regular file but a socket`,
    "Cannot read missing: no such file or directory",
    "Cannot read : the path is empty",
    "Cannot read a\0b: a path holds no NUL character",
    `Cannot read ${"x".repeat(300)}: the name is too long`,
  ]);
});

test("openFile() reads what was checked when the path is swapped right after the check", async () => {
  using place = await toolPlace();
  const path = place.write("file", "checked");
  writeFileSync(join(place.outside, "secret"), "SECRET");
  const seen: string[] = [];
  using file = openFile(path, (real) => {
    seen.push(real);
    renameSync(path, `${path}.old`);
    symlinkSync(join(place.outside, "secret"), path);
  });
  expect(Buffer.from(readAll(file.fd, 100) ?? []).toString()).toBe("checked");
  expect(seen).toEqual([path]);
});

test("openFile() reads what was checked when a directory above is swapped right after the check", async () => {
  using place = await toolPlace();
  const path = place.write("dir/secret", "checked");
  writeFileSync(join(place.outside, "secret"), "SECRET");
  using file = openFile(path, () => {
    renameSync(join(place.cwd, "dir"), join(place.cwd, "moved"));
    symlinkSync(place.outside, join(place.cwd, "dir"));
  });
  expect(Buffer.from(readAll(file.fd, 100) ?? []).toString()).toBe("checked");
});

test("openCompared() reads a file, and notices a path that is swapped after the check", async () => {
  using place = await toolPlace();
  const path = place.write("file", "checked");
  writeFileSync(join(place.outside, "secret"), "SECRET");
  using file = openCompared(path, () => {});
  expect(Buffer.from(readAll(file.fd, 100) ?? []).toString()).toBe("checked");
  const swapped = () =>
    openCompared(path, () => {
      renameSync(path, `${path}.old`);
      symlinkSync(join(place.outside, "secret"), path);
    });
  expect(swapped).toThrow();
});

test("read of a path that is swapped all the time gives the file or a denial, never the secret", async () => {
  using place = await toolPlace();
  place.write("file", "fine");
  writeFileSync(join(place.outside, "secret"), "SECRET");
  const swapper = Bun.spawn(
    [
      "bash",
      "-c",
      "for i in $(seq 1 120); do ln -sfn ../outside/secret t; mv -T t file; echo fine > u; mv -T u file; done",
    ],
    { cwd: place.cwd },
  );
  const texts = new Set<string>();
  while (swapper.exitCode === null) {
    const text = await place.text("read", { path: "file" });
    texts.add(text.startsWith(DENIED) ? "denied" : text.replace(/^Cannot read file: .*/, "failed"));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  expect(
    [...texts].filter((text) => !["denied", "fine", "failed", "(the file is empty)"].includes(text)),
  ).toEqual([]);
  expect(texts.has("denied")).toBe(true);
});

test("a hard link is a file like any other: that is the system's, not ours to see", async () => {
  using place = await toolPlace();
  writeFileSync(join(place.outside, "plain"), "linked");
  linkSync(join(place.outside, "plain"), join(place.cwd, "hard"));
  expect(await place.text("read", { path: "hard" })).toBe("linked");
  expect(readFileSync(join(place.outside, "plain"), "utf8")).toBe("linked");
});
