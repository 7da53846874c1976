// One pipe for both streams of a command, in the order of writing. The runtimes give programs a socket, which Linux does
// not open again: `echo x > /dev/stderr` fails there. They can make no pipe either, so `mkfifo` does; and because they read
// pipes badly, `cat`, a process of ours that belongs to no command, hands on what comes.

import { spawn, spawnSync } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { findSystemProgram } from "./find-program.ts";

export interface OutputPipe extends Disposable {
  /** For the program's stdout and stderr; closed with the pipe, once the program has its own. */
  readonly writeEnd: number;
  /** What comes; it ends when nobody holds the other end any more. */
  readonly output: Readable;
}

/** Undefined where none can be made, and where none is needed: other systems open any descriptor again. */
export function openOutputPipe(path: string): OutputPipe | undefined {
  const [mkfifo, cat] = ["mkfifo", "cat"].map((name) => findSystemProgram(name, path));
  if (mkfifo === undefined || cat === undefined || !existsSync("/proc/self/fd")) return undefined;
  const ends = makePipe(mkfifo);
  if (ends === undefined) return undefined;
  // In a session of its own, so that no key of a terminal ends it before the program has said its last.
  const relay = spawn(cat, [], {
    stdio: [ends.readEnd, "pipe", "ignore"],
    env: {},
    cwd: "/",
    detached: true,
  });
  relay.on("error", () => {});
  relay.unref();
  closeSync(ends.readEnd);
  return {
    writeEnd: ends.writeEnd,
    output: relay.stdout ?? Readable.from([]),
    [Symbol.dispose]: () => closeSync(ends.writeEnd),
  };
}

/** Both ends of a named pipe whose name is gone again. */
function makePipe(mkfifo: string): { readonly readEnd: number; readonly writeEnd: number } | undefined {
  const opened: number[] = [];
  const open = (path: string, flags: number): number => {
    const fd = openSync(path, flags);
    opened.push(fd);
    return fd;
  };
  let directory: string | undefined;
  try {
    directory = mkdtempSync(join(tmpdir(), "agent-pipe-"));
    const path = join(directory, "pipe");
    if (spawnSync(mkfifo, [path]).status !== 0) return undefined;
    // Either end alone would wait for the other one.
    const both = open(path, constants.O_RDWR);
    const [readEnd, writeEnd] = [open(path, constants.O_RDONLY), open(path, constants.O_WRONLY)];
    closeSync(both);
    return { readEnd, writeEnd };
  } catch {
    for (const fd of opened) closeSync(fd);
    return undefined;
  } finally {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  }
}
