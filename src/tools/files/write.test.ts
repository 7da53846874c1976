// Writing stays where it was granted, is whole or not at all, and keeps what belongs to the file.

import { expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { toolPlace } from "../../testing/tool-place.ts";
import { FileError } from "./open.ts";
import { writeWholeFile } from "./write.ts";

const GRANT = { grants: { write: true } } as const;
const bytes = new TextEncoder().encode("new");

test("write makes a file and the directories above it", async () => {
  using place = await toolPlace(GRANT);
  expect(await place.text("write", { path: "a/b/c.txt", content: "x\n" })).toBe(
    "Created a/b/c.txt (2 bytes)",
  );
  expect(readFileSync(join(place.cwd, "a/b/c.txt"), "utf8")).toBe("x\n");
});

test("write replaces a file, keeps its mode and leaves nothing beside it", async () => {
  using place = await toolPlace(GRANT);
  const path = place.write("run.sh", "old");
  chmodSync(path, 0o755);
  expect(await place.text("write", { path: "run.sh", content: "new" })).toBe("Replaced run.sh (3 bytes)");
  expect(statSync(path).mode & 0o777).toBe(0o755);
  expect(readdirSync(place.cwd)).toEqual(["run.sh"]);
});

test("write leaves no file to run as its owner or group", async () => {
  using place = await toolPlace(GRANT);
  const path = place.write("run.sh", "old");
  chmodSync(path, 0o6755);
  await place.call("write", { path: "run.sh", content: "new" });
  expect(statSync(path).mode & 0o7777).toBe(0o755);
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.error("skipped: only root can show that a file keeps its owner");
test.skipIf(!isRoot)("write keeps a file's owner", async () => {
  using place = await toolPlace(GRANT);
  const path = place.write("file", "old");
  chownSync(path, 1234, 4321);
  await place.call("write", { path: "file", content: "new" });
  const { uid, gid } = statSync(path);
  expect([uid, gid]).toEqual([1234, 4321]);
});

test("write is denied for every way out of what is granted, and makes nothing there", async () => {
  using place = await toolPlace(GRANT);
  writeFileSync(join(place.outside, "file"), "old");
  symlinkSync(place.outside, join(place.cwd, "directory-link"));
  symlinkSync(join(place.outside, "file"), join(place.cwd, "file-link"));
  symlinkSync(join(place.outside, "fresh"), join(place.cwd, "dangling"));
  symlinkSync(join(place.outside, "dir/deep"), join(place.cwd, "dangling-directory"));
  const ways = [
    "../outside/file",
    "../outside/deep/er/file",
    `${place.outside}/file`,
    "directory-link/file",
    "directory-link/new/deep",
    "file-link",
    "dangling",
    `/proc/self/cwd/../../../../../../../..${place.outside}/file`,
    `/proc/self/root${place.outside}/file`,
    "/dev/shm/agent-test",
    ".env",
    ".git/hooks/pre-commit",
    ".agent/config.jsonc",
  ];
  for (const path of ways) {
    const result = await place.call("write", { path, content: "new" });
    expect({ path, denied: result.denied?.permission }).toEqual({ path, denied: "write" });
  }
  expect(await place.text("write", { path: "dangling-directory/x", content: "new" })).toBe(
    "Cannot write dangling-directory/x: a part of the path is not a directory",
  );
  expect(readdirSync(place.outside)).toEqual(["file"]);
  expect(readFileSync(join(place.outside, "file"), "utf8")).toBe("old");
  expect(existsSync(join(place.cwd, ".git"))).toBe(false);
});

test("write goes through a link that stays inside, and keeps the link", async () => {
  using place = await toolPlace(GRANT);
  place.write("real/file", "old");
  symlinkSync("real/file", join(place.cwd, "link"));
  await place.call("write", { path: "link", content: "new" });
  expect(readFileSync(join(place.cwd, "real/file"), "utf8")).toBe("new");
  expect(readlinkSync(join(place.cwd, "link"))).toBe("real/file");
});

test("write refuses what is no regular file", async () => {
  using place = await toolPlace(GRANT);
  mkdirSync(join(place.cwd, "dir"));
  symlinkSync("loop", join(place.cwd, "loop"));
  place.write("file", "x");
  const texts = await Promise.all(
    ["dir", "dir/", "loop", "file/x"].map((path) => place.text("write", { path, content: "" })),
  );
  expect(texts).toEqual([
    `Cannot write dir: ${place.cwd}/dir is a directory, not a regular file`,
    "Cannot write dir/: the path names a directory",
    `Cannot write loop: ${place.cwd}/loop: too many symbolic links`,
    "Cannot write file/x: a part of the path is not a directory",
  ]);
});

test("writeWholeFile() writes into the checked directory when its path is swapped after the check", async () => {
  using place = await toolPlace(GRANT);
  mkdirSync(join(place.cwd, "dir"));
  let checks = 0;
  writeWholeFile({
    path: join(place.cwd, "dir/file"),
    bytes,
    check: () => {
      if (++checks > 1) return;
      renameSync(join(place.cwd, "dir"), join(place.cwd, "moved"));
      symlinkSync(place.outside, join(place.cwd, "dir"));
    },
  });
  expect(readdirSync(place.outside)).toEqual([]);
  expect(readFileSync(join(place.cwd, "moved/file"), "utf8")).toBe("new");
});

test("writeWholeFile() replaces a link that appears after the check instead of following it", async () => {
  using place = await toolPlace(GRANT);
  writeFileSync(join(place.outside, "file"), "old");
  let checks = 0;
  writeWholeFile({
    path: join(place.cwd, "file"),
    bytes,
    check: () => {
      if (++checks === 2) symlinkSync(join(place.outside, "file"), join(place.cwd, "file"));
    },
  });
  expect(readFileSync(join(place.outside, "file"), "utf8")).toBe("old");
  expect(lstatSync(join(place.cwd, "file")).isFile()).toBe(true);
});

test("writeWholeFile() does not overwrite a file that changed since it was read", async () => {
  using place = await toolPlace(GRANT);
  const path = place.write("file", "one");
  const expect1 = statSync(path);
  writeFileSync(path, "longer");
  expect(() => writeWholeFile({ path, bytes, check: () => {}, expect: expect1 })).toThrow(FileError);
  expect(readFileSync(path, "utf8")).toBe("longer");
});
