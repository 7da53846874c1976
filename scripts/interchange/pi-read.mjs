// Reads session files with pi's own reader: one JSON line for each path, `{id, messages}` of the context that pi would send.

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";

const directory = mkdtempSync(join(tmpdir(), "interchange-"));
try {
  for (const path of process.argv.slice(2)) {
    // A copy: pi's reader may migrate a file where it stands.
    const copy = join(directory, "session.jsonl");
    copyFileSync(path, copy);
    const session = SessionManager.open(copy);
    const { messages } = session.buildSessionContext();
    process.stdout.write(`${JSON.stringify({ id: session.getSessionId(), messages })}\n`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
