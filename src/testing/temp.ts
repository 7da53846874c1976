// Temporary directories that are gone when the test ends.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TempDir extends Disposable {
  readonly path: string;
  /** Writes a file below the directory, its folders too; gives its absolute path. */
  write(name: string, content: string | Uint8Array): string;
}

/** A new directory, by default where the system has its temporary ones; `using dir = tempDir()` removes it at the end of the block. */
export function tempDir(parent = tmpdir()): TempDir {
  const path = mkdtempSync(join(parent, "agent-test-"));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
