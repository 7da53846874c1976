// A real pipe for a child's stdin. `stdio: "pipe"` of a spawn gives a socket, which the program treats differently.

import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, write } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Pipe {
  /** For the child; the parent closes its own copy after the spawn. */
  readonly readEnd: number;
  /** Ends early without an error when the reader is gone. */
  write(text: string | Uint8Array): Promise<void>;
  /** Writes the last of it and closes. Safe to call twice. */
  end(text: string | Uint8Array): Promise<void>;
}

/** A named pipe, its name removed at once. */
export function openPipe(): Pipe {
  const dir = mkdtempSync(join(tmpdir(), "agent-pipe-"));
  const path = join(dir, "pipe");
  if (spawnSync("mkfifo", [path]).status !== 0) throw new Error("mkfifo is missing");
  const both = openSync(path, constants.O_RDWR);
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(path, constants.O_WRONLY);
  closeSync(both);
  rmSync(dir, { recursive: true, force: true });
  let closed = false;
  const send = async (text: string | Uint8Array) => {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    for (let offset = 0; offset < bytes.length; ) {
      const written = await new Promise<number>((resolve) =>
        write(writeEnd, bytes, offset, bytes.length - offset, null, (error, count) =>
          resolve(error ? -1 : count),
        ),
      );
      if (written < 0) return;
      offset += written;
    }
  };
  return {
    readEnd,
    write: send,
    async end(text) {
      if (closed) return;
      closed = true;
      await send(text);
      closeSync(writeEnd);
    },
  };
}
