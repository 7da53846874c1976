// The README says what the program says: its tables of commands and exit codes are compared with the program's own.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../cli/commands.ts";
import { EXIT_CODES } from "../cli/exit.ts";
import { GLOBAL_FLAGS } from "../cli/global-flags.ts";
import { runAgent } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";

const README = readFileSync(join(import.meta.dir, "../../README.md"), "utf8");

function tableOf(name: string): string {
  const block = README.match(new RegExp(`<!-- ${name}:[^>]*-->\\n([^]*?)<!-- /${name} -->`))?.[1] ?? "";
  return block.split("\n").slice(2).join("\n").trim();
}

test("README lists every command as agent --help does", () => {
  const inCell = (text: string) => text.replaceAll("|", "\\|");
  const expected = COMMANDS.map(
    (row) => `| \`agent ${inCell(`${row.name} ${row.usage}`.trimEnd())}\` | ${inCell(row.summary)} |`,
  );
  expect(tableOf("commands")).toBe(expected.join("\n"));
});

test("README lists every exit code as the program has it", () => {
  expect(tableOf("exit-codes")).toBe(EXIT_CODES.map((row) => `| ${row.code} | ${row.meaning} |`).join("\n"));
});

test("agent <command> --help shows usage, every flag, two examples and exit codes", async () => {
  using dir = tempDir();
  for (const row of COMMANDS) {
    const command = await row.load();
    const help = await runAgent([...row.name.split(" "), "--help"], { cwd: dir.path, home: dir.path });
    expect([row.name, help.code, help.stderr]).toEqual([row.name, 0, ""]);
    expect(help.stdout).toContain(`Usage: ${`agent ${row.name} ${row.usage}`.trimEnd()} [flags]\n`);
    for (const flag of [...command.flags, ...GLOBAL_FLAGS]) expect(help.stdout).toContain(`--${flag.name}`);
    expect(command.examples.length).toBeGreaterThanOrEqual(2);
    const columns = help.stdout.split("\nExamples:")[0]?.match(/^ {2}-.*? {2,}(?=\S)/gm) ?? [];
    expect(new Set(columns.map((head) => head.length)).size).toBeLessThanOrEqual(2);
    expect(help.stdout).toMatch(/\nExit codes:\n {2}0 {4}done\n/);
  }
});
