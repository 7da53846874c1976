// Mounts for tests of faults that only a file system can make: a full disk, a read-only file. Needs root on Linux; where
// that is not so, the test says why it is skipped.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tempDir } from "./temp.ts";

export interface Mount extends Disposable {
  readonly path: string;
}

/** A file system in memory that holds `bytes` bytes; gone at the end of the block. */
export function smallDisk(bytes: number): Mount {
  const path = mkdtempSync(join(tmpdir(), "agent-disk-"));
  mount(["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path]);
  return {
    path,
    [Symbol.dispose]() {
      unmount(path);
      rmdirSync(path);
    },
  };
}

/** Makes a file that is there already read-only for everybody, root too, until the end of the block. */
export function readOnly(path: string): Mount {
  mount(["--bind", path, path]);
  mount(["-o", "remount,bind,ro", path]);
  return { path, [Symbol.dispose]: () => unmount(path) };
}

function mount(args: readonly string[]): void {
  const { status, stderr, error } = spawnSync("mount", args);
  if (status !== 0) throw new Error(`mount ${args.join(" ")}: ${error?.message ?? stderr.toString()}`);
}

function unmount(path: string): void {
  spawnSync("umount", ["-l", path]);
}

/** Why mounts cannot be made here; undefined if they can. */
export function whyNoMounts(): string | undefined {
  if (process.platform !== "linux") return "mounts in tests are for Linux";
  using dir = tempDir();
  try {
    mount(["-t", "tmpfs", "-o", "size=4096", "tmpfs", dir.path]);
    unmount(dir.path);
    return undefined;
  } catch (error) {
    return `no mounts here: ${error instanceof Error ? error.message.trim() : error}`;
  }
}
