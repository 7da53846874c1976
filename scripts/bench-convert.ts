// `session convert` of other agents' files: peak memory must not grow with the file, and time is told as a ratio to
// reading the file and parsing each line. `bench convert [MB]`: the size of the larger file, 200 by default.

import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const AGENT = join(import.meta.dir, "../dist/agent");
const SMALL_MB = 20;
/** What the larger file may need beyond the smaller one: ids, and the allocator's slack. */
const ALLOWED_MB = 64;

/** Lines of one turn: a prompt now and then, an answer with a call, its result of some kilobytes. */
type Turn = (index: number) => readonly object[];

const TURNS: Readonly<Record<string, Turn>> = {
  claude: (index) => {
    const line = (part: number, more: object) => ({
      parentUuid: part === 0 ? `${index - 1}-2` : `${index}-${part - 1}`,
      isSidechain: false,
      cwd: "/srv/large",
      sessionId: "large",
      uuid: `${index}-${part}`,
      timestamp: "2026-01-01T00:00:00.000Z",
      ...more,
    });
    const answer = (block: object) => ({
      type: "assistant",
      message: {
        id: `msg_${index}`,
        model: "m",
        role: "assistant",
        content: [block],
        usage: { output_tokens: 9 },
      },
    });
    const call = { type: "tool_use", id: `call_${index}`, name: "Bash", input: { command: "make" } };
    const result = { type: "tool_result", tool_use_id: `call_${index}`, content: output(index) };
    return [
      line(0, answer({ type: "text", text: `Step ${index}.` })),
      line(1, answer(call)),
      line(2, { type: "user", message: { role: "user", content: [result] } }),
    ];
  },
  codex: (index) => {
    const item = (payload: object) => ({
      timestamp: "2026-01-01T00:00:00.000Z",
      type: "response_item",
      payload,
    });
    return [
      item({
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: `Step ${index}.` }],
      }),
      item({
        type: "function_call",
        name: "shell",
        arguments: '{"command":"make"}',
        call_id: `call_${index}`,
      }),
      item({ type: "function_call_output", call_id: `call_${index}`, output: output(index) }),
    ];
  },
};

function output(index: number): string {
  return `line of output ${index}\n`.repeat(100 + (index % 200));
}

async function makeFile(path: string, turn: Turn, megabytes: number): Promise<void> {
  const file = createWriteStream(path);
  let size = 0;
  for (let index = 1; size < megabytes * 1e6; index++) {
    const text = turn(index)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join("");
    size += text.length;
    if (!file.write(text)) await new Promise((resolve) => file.once("drain", resolve));
  }
  await new Promise((resolve) => file.end(resolve));
}

interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
}

function measure(command: readonly string[]): Measured {
  const started = performance.now();
  const child = Bun.spawnSync([...command], { stdout: "ignore", stderr: "inherit", stdin: "ignore" });
  if (child.exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${child.exitCode}`);
  return { seconds: (performance.now() - started) / 1000, peakMb: child.resourceUsage.maxRSS / 1e6 };
}

const PARSE_EACH_LINE =
  'const t = await Bun.file(process.argv[1]).text(); for (const l of t.split("\\n")) if (l) JSON.parse(l);';

/** Prints one row a file; the exit code says whether memory stayed flat. */
export async function run([size = "200"]: readonly string[] = []): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "agent-bench-"));
  try {
    for (const [name, turn] of Object.entries(TURNS)) {
      const peaks: number[] = [];
      for (const megabytes of [SMALL_MB, Number(size)]) {
        const path = join(directory, `${name}.jsonl`);
        await makeFile(path, turn, megabytes);
        const parse = measure([process.execPath, "-e", PARSE_EACH_LINE, path]);
        const convert = measure([AGENT, "session", "convert", path, "--quiet"]);
        peaks.push(convert.peakMb);
        const ratio = (convert.seconds / parse.seconds).toFixed(2);
        console.log(
          `${name} ${megabytes} MB: ${convert.seconds.toFixed(2)} s (${ratio}x of parsing), peak ${convert.peakMb.toFixed(0)} MB`,
        );
      }
      const [small = 0, large = 0] = peaks;
      const flat = large - small <= ALLOWED_MB;
      console.log(
        `${name}: ${(large - small).toFixed(0)} MB more for the larger file: ${flat ? "flat" : "NOT FLAT"}`,
      );
      if (!flat) process.exitCode = 1;
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
