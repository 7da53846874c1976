// Which sessions can go on in their own file. All others go on in a new one, whose `parentSession` is their id.

import * as fs from "node:fs";
import { dirname } from "node:path";
import type { Session } from "./session.ts";

const AGENTS: Readonly<Record<string, string>> = {
  claude: "Claude Code",
  "codex-v1": "Codex CLI",
  "codex-v2": "Codex CLI",
  "codex-v3": "Codex CLI",
  opencode: "OpenCode",
  gemini: "Gemini CLI",
  copilot: "Copilot CLI",
};

/**
 * Why a session's own file cannot be appended to, in words for a notice ("it is a session of Claude Code"); undefined if
 * it can.
 */
export function appendObstacle(session: Session): string | undefined {
  const { path, format } = session;
  if (path === undefined) return "it did not come from a file";
  if (format === "pi-v1" || format === "pi-v2") return `it is of version ${format.slice(-1)} of the format`;
  if (format !== "pi-v3") return `it is a session of ${AGENTS[format] ?? format}`;
  if (session.problems.some((problem) => problem.code === "no-header")) return "it has no header";
  if (session.problems.some((problem) => problem.code === "unknown-version"))
    return "it is of a version that is not known here";
  try {
    const stat = fs.statSync(path);
    if (!stat.isFile()) return "it is a pipe or a device, not a file";
    // The mode counts for root too, whom the system would let write: who took the bits away meant it.
    if ((stat.mode & 0o222) === 0) return "it is read-only";
    fs.accessSync(path, fs.constants.W_OK);
    fs.accessSync(dirname(path), fs.constants.W_OK);
  } catch {
    return "it is read-only";
  }
  return undefined;
}
