// Every example of every help text is a command line that the program takes.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { COMMANDS } from "./commands.ts";
import { findCommand } from "./find-command.ts";
import { parseFlags } from "./flags.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";

/** The arguments of each `agent` in a shell line; every other program of the line is a stand-in that does nothing. */
function callsIn(line: string, cwd: string): readonly (readonly string[])[] {
  const script = `agent() { printf '%s\\0' "$@" >>"$CALLS"; printf '\\1\\0' >>"$CALLS"; }
command_not_found_handle() { cat >/dev/null; }
for name in ssh source ollama git jq claude; do eval "$name() { :; }"; done
${line}`;
  const calls = join(cwd, "calls");
  spawnSync("bash", ["--norc", "-c", script], {
    cwd,
    env: { PATH: "/usr/bin:/bin", HOME: cwd, CALLS: calls },
    input: "",
  });
  const text = spawnSync("cat", [calls], { encoding: "utf8" }).stdout;
  return text
    .split("\u0001\0")
    .slice(0, -1)
    .map((call) => call.split("\0").slice(0, -1));
}

for (const row of COMMANDS) {
  test(`the examples of agent ${row.name} are taken by the program`, async () => {
    const { examples } = await row.load();
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const { line } of examples) {
      using dir = tempDir();
      for (const [, file = ""] of line.matchAll(/[<>]\s*(?:~\/)?([\w./-]+)/g)) {
        if (!file.startsWith("/")) dir.write(file, "");
      }
      const calls = callsIn(line, dir.path);
      const names: string[] = [];
      for (const argv of calls) {
        const found = await findCommand(argv);
        if (found === undefined) throw new Error(`no command in: ${line}`);
        await parseFlags(found.rest, [...(await found.row.load()).flags, ...GLOBAL_FLAGS]);
        names.push(found.row.name);
      }
      expect([line, names.includes(row.name)]).toEqual([line, true]);
    }
  });
}
