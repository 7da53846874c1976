// A pipe for a child's stdout whose reader does not read: the child that writes more than a pipe holds is stuck.

import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./until.ts";

export interface UnreadPipe extends Disposable {
  /** For the child. */
  readonly writeEnd: number;
  /** Resolves when something was written; one byte of it is taken. */
  begun(): Promise<void>;
  /** What the pipe holds, once the child has ended. */
  rest(): string;
}

/** A named pipe, its name removed at once. */
export function unreadPipe(): UnreadPipe {
  const dir = mkdtempSync(join(tmpdir(), "agent-unread-"));
  const path = join(dir, "pipe");
  if (spawnSync("mkfifo", [path]).status !== 0) throw new Error("mkfifo is missing");
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(path, constants.O_WRONLY);
  rmSync(dir, { recursive: true, force: true });
  const taken: Buffer[] = [];
  /** Whether there was something. */
  const take = (bytes: number) => {
    const buffer = Buffer.alloc(bytes);
    try {
      const length = readSync(readEnd, buffer, 0, bytes, null);
      taken.push(buffer.subarray(0, length));
      return length > 0;
    } catch {
      return false;
    }
  };
  return {
    writeEnd,
    begun: () => until(() => take(1)),
    rest() {
      while (take(65_536));
      return Buffer.concat(taken).toString("utf8");
    },
    [Symbol.dispose]() {
      closeSync(readEnd);
      closeSync(writeEnd);
    },
  };
}
