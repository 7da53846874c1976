import { expect, test } from "bun:test";
import { chmodSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { rewriteFile } from "./rewrite-file.ts";

async function* chunks(): AsyncGenerator<Uint8Array, void> {
  yield new TextEncoder().encode("new\n");
}

// A pipe stands for every special file: who runs this as root must not lose a device if it fails.
test("rewriteFile() leaves what is no regular file in its place", async () => {
  using dir = tempDir();
  const pipe = join(dir.path, "pipe");
  Bun.spawnSync(["mkfifo", pipe]);
  await expect(rewriteFile(pipe, chunks())).rejects.toMatchObject({
    kind: "failed",
    message: `Cannot write "${pipe}": it is a device, a pipe or a socket, not a regular file`,
  });
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  expect(readdirSync(dir.path)).toEqual(["pipe"]);
});

test("rewriteFile() keeps the mode that the file had, and gives a new one to nobody else", async () => {
  using dir = tempDir();
  const old = dir.write("old.jsonl", "old\n");
  chmodSync(old, 0o666);
  const made = join(dir.path, "new.jsonl");
  await rewriteFile(old, chunks());
  await rewriteFile(made, chunks());
  const modes = [old, made].map((path) => lstatSync(path).mode & 0o777);
  expect([readFileSync(old, "utf8"), ...modes]).toEqual(["new\n", 0o666, 0o600]);
});
