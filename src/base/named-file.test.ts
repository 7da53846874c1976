import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { tempDir } from "../testing/temp.ts";
import { readNamedFile } from "./named-file.ts";

const NEVER = new AbortController().signal;

function read(path: string, signal = NEVER): Promise<string> {
  return readNamedFile(path, { cannot: "Cannot read it", kind: "input", signal });
}

test("readNamedFile() reads files, and refuses what may have no end", async () => {
  using dir = tempDir();
  expect(await read(dir.write("a.txt", "text"))).toBe("text");
  expect(await read("/dev/null")).toBe("");
  const refused = async (path: string, kind: string, why: string) =>
    await expect(read(path)).rejects.toMatchObject({ kind, message: `Cannot read it: ${why}` });
  await refused("/dev/zero", "input", "it is not a regular file");
  await refused(dir.path, "input", "it is a directory");
  await refused(`${dir.path}/none`, "notFound", "there is no such file");
});

test("readNamedFile() reads a pipe to its end, and waits for its writer only until the signal", async () => {
  using dir = tempDir();
  const pipe = `${dir.path}/pipe`;
  spawnSync("mkfifo", [pipe]);
  const long = "0123456789".repeat(20_000);
  const [text] = await Promise.all([read(pipe), appendFile(pipe, long)]);
  expect(text === long).toBe(true);
  const controller = new AbortController();
  const reading = read(pipe, controller.signal);
  controller.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
  // Lets the thread go that still waits for a writer.
  await appendFile(pipe, "");
});
