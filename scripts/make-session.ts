// Makes a session file of a wanted size: turns with tool calls and long results, branches left behind, a compaction
// whenever a context window would be full. The same size gives the same file.

import { closeSync, openSync, writeSync } from "node:fs";

/** Bytes of messages after which a context window of some 200,000 tokens is full. */
const WINDOW_BYTES = 800_000;
/** As in real files: one byte in twenty is part of an escape, and one text in twenty has characters beyond ASCII. */
const WORDS =
  'const value of the "file" returns error when\ttest expects "string" but found undefined\n at line number in module path\\to/source.ts\n export function async await import\n from type interface'.split(
    " ",
  );

export interface MadeSession {
  readonly path: string;
  readonly bytes: number;
  readonly entries: number;
}

/** Writes the file. About `megabytes` large. `plain`: without a character beyond ASCII, which `JSON.parse` reads fastest. */
export function makeSession(path: string, megabytes: number, plain = false): MadeSession {
  const fd = openSync(path, "w");
  const random = randomNumbers(7);
  let [bytes, entries, sinceCompaction] = [0, 0, 0];
  let parentId: string | null = null;
  let keptId = "";
  let batch = "";
  const write = (object: object) => {
    batch += `${JSON.stringify(object)}\n`;
    if (batch.length < 1 << 20) return;
    bytes += writeSync(fd, batch);
    batch = "";
  };
  const time = () => new Date(1_767_323_045_000 + entries * 1000).toISOString();
  const entry = (fields: object, parent = parentId): string => {
    const id = ((entries * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, "0");
    const { type, ...rest } = { type: "message", ...fields };
    write({ type, id, parentId: parent, timestamp: time(), ...rest });
    entries += 1;
    parentId = id;
    return id;
  };
  const text = (words: number) => {
    const parts = random() < 0.05 && !plain ? ["→ naïve ✓"] : [];
    for (let count = 0; count < words; count++) parts.push(WORDS[Math.floor(random() * WORDS.length)] ?? "");
    return parts.join(" ");
  };
  write({
    type: "session",
    version: 3,
    id: "0190f3a2-7c1e-7000-8000-000000000001",
    timestamp: time(),
    cwd: "/home/someone/project",
  });
  for (let turn = 0; bytes + batch.length < megabytes * 1_000_000; turn++) {
    const start = bytes + batch.length;
    keptId = entry({ message: { role: "user", content: text(40), timestamp: 1 } });
    for (let call = 0; call < 4; call++) {
      const id = `call_${turn}_${call}`;
      const content = [
        { type: "thinking", thinking: text(60) },
        { type: "text", text: text(30) },
        {
          type: "toolCall",
          id,
          name: call % 2 ? "bash" : "read",
          arguments: { command: text(8), path: "src/a.ts" },
        },
      ];
      const before = parentId;
      entry({ message: assistant(content, "toolUse") });
      if (turn % 10 === 9 && call === 0) {
        // What a rule threw away: the branch goes on from before it.
        entry({ type: "ttsr_injection", injectedRules: ["no-any"] }, before);
        entry({ message: assistant(content, "toolUse") });
      }
      const output = [{ type: "text", text: text(200 + Math.floor(random() * 1200)) }];
      entry({
        message: {
          role: "toolResult",
          toolCallId: id,
          toolName: "bash",
          content: output,
          isError: false,
          timestamp: 1,
        },
      });
    }
    entry({ message: assistant([{ type: "text", text: text(120) }], "stop") });
    sinceCompaction += bytes + batch.length - start;
    if (sinceCompaction < WINDOW_BYTES) continue;
    entry({ type: "compaction", summary: text(600), firstKeptEntryId: keptId, tokensBefore: 200_000 });
    sinceCompaction = 0;
  }
  bytes += writeSync(fd, batch);
  closeSync(fd);
  return { path, bytes, entries };
}

function assistant(content: readonly object[], stopReason: string): object {
  const usage = { input: 1200, output: 300, cacheRead: 0, cacheWrite: 0, totalTokens: 1500 };
  return {
    role: "assistant",
    content,
    api: "ollama",
    provider: "ollama",
    model: "m",
    usage,
    stopReason,
    timestamp: 1,
  };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
