// Where Claude Code keeps the messages of a session's subagents: a folder beside the session's file.

import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { sessionFileChunks } from "../source.ts";

/** Looks for `<session>/subagents/agent-<id>.jsonl`, or `agent-<id>.jsonl` beside the session's file. */
export function subagentFileOf(
  sessionPath: string,
): (agentId: string) => AsyncIterable<Uint8Array> | undefined {
  const directory = dirname(sessionPath);
  const folder = join(directory, basename(sessionPath, ".jsonl"), "subagents");
  return (agentId) => {
    // The id comes from the file's content: it names a file of these folders, and nothing else.
    if (!/^[\w-]+$/.test(agentId)) return undefined;
    const paths = [join(folder, `agent-${agentId}.jsonl`), join(directory, `agent-${agentId}.jsonl`)];
    const path = paths.find((candidate) => fs.existsSync(candidate));
    return path === undefined ? undefined : sessionFileChunks(path);
  };
}
