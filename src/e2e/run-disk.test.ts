// A full disk: the run ends with a clear error, and the session keeps every whole line and no torn one.

import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textAnswer } from "../testing/fake-answers.ts";
import { parseLines, runPlace } from "../testing/run-command.ts";
import { tempDir } from "../testing/temp.ts";

/** A file system of 256 KiB, or why there is none. */
function smallDisk(path: string): Disposable | string {
  mkdirSync(path, { recursive: true });
  const mount = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", path]);
  if (mount.exitCode !== 0) return `no tmpfs can be mounted here: ${mount.stderr.toString().trim()}`;
  return { [Symbol.dispose]: () => void Bun.spawnSync(["umount", path]) };
}

test("run ends with an error when the disk is full, and leaves no torn line", async () => {
  using dir = tempDir();
  const path = join(dir.path, "disk");
  const disk = smallDisk(path);
  if (typeof disk === "string") return console.warn(`skipped: ${disk}`);
  using _ = disk;
  await using place = await runPlace([textAnswer("x".repeat(200_000)), textAnswer("never")]);
  writeFileSync(join(path, "ballast"), "y".repeat(100_000));
  const session = join(path, "s.jsonl");
  const result = await place.run(["--into", session, "hi"]);
  expect(result).toMatchObject({ code: 1, stdout: "" });
  expect(result.stderr).toContain(`Cannot write to session "${session}"`);
  const text = readFileSync(session, "utf8");
  expect(text).toEndWith("\n");
  expect(parseLines(text).map(({ type }) => type)).toEqual(["session", "model_change", "message"]);
});
