// Every example of every help text is a command line that the program takes.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { COMMANDS } from "./commands.ts";
import { findCommand } from "./find-command.ts";
import { parseFlags } from "./flags.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";

/** The arguments of each `agent` in a shell line; every other program of the line is a stand-in that does nothing. */
function callsIn(line: string, cwd: string): readonly (readonly string[])[] {
  const script = `agent() { printf '%s\\0' "$@" >"$(mktemp "$CALLS/XXXXXX")"; }
command_not_found_handle() { cat >/dev/null; }
for name in ssh source ollama git jq claude; do eval "$name() { :; }"; done
${line}
wait`;
  const calls = join(cwd, "calls");
  mkdirSync(calls);
  const env = { PATH: "/usr/bin:/bin", HOME: cwd, CALLS: calls };
  spawnSync("bash", ["--norc", "-c", script], { cwd, env, input: "" });
  return readdirSync(calls).map((name) => readFileSync(join(calls, name), "utf8").split("\0").slice(0, -1));
}

/** The names of the commands that a line calls, each with flags that it takes. */
async function namesIn(line: string): Promise<readonly string[]> {
  using dir = tempDir();
  for (const [, file = ""] of line.matchAll(/[<>]\s*(?:~\/)?([\w./-]+)/g)) {
    if (!file.startsWith("/")) dir.write(file, "");
  }
  const names: string[] = [];
  for (const argv of callsIn(line, dir.path)) {
    const found = await findCommand(argv);
    if (found === undefined) throw new Error(`no command in: ${line}`);
    await parseFlags(found.rest, [...(await found.row.load()).flags, ...GLOBAL_FLAGS]);
    names.push(found.row.name);
  }
  return names;
}

for (const row of COMMANDS) {
  test(`the examples of agent ${row.name} are taken by the program`, async () => {
    const { examples } = await row.load();
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const { line } of examples) {
      expect([line, (await namesIn(line)).includes(row.name)]).toEqual([line, true]);
    }
  });
}

const ROOT = join(import.meta.dir, "../..");
const CALL = /^(?![#|`]).*\bagent (?:run|handoff|rules|session|models|doctor|config|completions)\b/;

/** Shell lines of a page's code blocks that call agent, continued lines joined. */
function shellLines(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^```(?:sh|bash|shell)?\n([\s\S]*?)^```/gm)].map(
    ([, block = ""]) => block,
  );
  return blocks.flatMap((block) =>
    block
      .replaceAll(/\\\n\s*/g, " ")
      .split("\n")
      .filter((line) => CALL.test(line)),
  );
}

for (const page of ["README.md", ...new Bun.Glob("docs/*.md").scanSync({ cwd: ROOT })]) {
  const lines = shellLines(readFileSync(join(ROOT, page), "utf8"));
  if (lines.length === 0) continue;
  test(`the ${lines.length} shell lines of ${page} are taken by the program`, async () => {
    // A loop's list and a condition are other programs' matter: what is asked is that the call is understood.
    for (const line of lines) {
      const call = line
        .replace(/^scripts\//, "")
        .replace(/^while read[^;]*; do /, "")
        .replace(/; done.*$/, "");
      expect([line, (await namesIn(call)).length > 0]).toEqual([line, true]);
    }
  });
}
