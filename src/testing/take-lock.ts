// A process that tries to take a session's lock at a given moment, says how that went, and holds it until its stdin
// ends: `bun src/testing/take-lock.ts <session> <Unix time in ms>`.

import { hostname } from "node:os";
import { acquireLock } from "../session/lock.ts";

const [session = "", moment = "0"] = process.argv.slice(2);
await Bun.sleep(Math.max(0, Number(moment) - Date.now()));
try {
  const lock = await acquireLock(session, { owner: { pid: process.pid, hostname: hostname() }, waitMs: 0 });
  console.log("taken");
  await Bun.stdin.text();
  lock.release();
} catch (error) {
  console.log(error instanceof Error ? error.message.replace(/.*: /, "") : "?");
}
