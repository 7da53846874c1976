import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { tempDir } from "../testing/temp.ts";
import { readNamedFile } from "./named-file.ts";

const NEVER = new AbortController().signal;

test("readNamedFile() reads files, and refuses what may have no end", async () => {
  using dir = tempDir();
  expect(await readNamedFile(dir.write("a.txt", "text"), NEVER)).toBe("text");
  expect(await readNamedFile("/dev/null", NEVER)).toBe("");
  const refused = async (path: string, code: string) =>
    await expect(readNamedFile(path, NEVER)).rejects.toMatchObject({ code });
  await refused("/dev/zero", "ENXIO");
  await refused(dir.path, "EISDIR");
  await refused(`${dir.path}/none`, "ENOENT");
});

test("readNamedFile() reads a pipe to its end, and waits for its writer only until the signal", async () => {
  using dir = tempDir();
  const pipe = `${dir.path}/pipe`;
  spawnSync("mkfifo", [pipe]);
  const long = "0123456789".repeat(20_000);
  const [text] = await Promise.all([readNamedFile(pipe, NEVER), appendFile(pipe, long)]);
  expect(text === long).toBe(true);
  const controller = new AbortController();
  const reading = readNamedFile(pipe, controller.signal);
  controller.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
  // Lets the thread go that still waits for a writer.
  await appendFile(pipe, "");
});
