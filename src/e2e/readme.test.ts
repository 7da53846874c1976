// The README says what the program says: its tables of commands and exit codes are compared with the program's own, and
// the commands of its first screen print what it shows.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../cli/commands.ts";
import { EXIT_CODES } from "../cli/exit.ts";
import { GLOBAL_FLAGS } from "../cli/global-flags.ts";
import { AGENT_BINARY, runAgent } from "../testing/spawn.ts";
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

/** The `console` block of the page: a command, continued lines joined, and what it prints on both streams. */
function shownCall(): { readonly line: string; readonly output: string } {
  const block = README.match(/^```console\n\$ ([\s\S]*?)^```$/m)?.[1]?.replaceAll(/\\\n\s*/g, "") ?? "";
  const end = block.indexOf("\n");
  return { line: block.slice(0, end), output: block.slice(end + 1) };
}

test.each([
  [
    README.match(/^(scripts\/agent .*?) *#/m)?.[1] ?? "",
    expect.stringMatching(/^# Handoff\n[\s\S]*\n## Goal\n/),
  ],
  [shownCall().line, shownCall().output],
])("README shows what %s prints", (line, output) => {
  using dir = tempDir();
  const { status, stdout } = spawnSync("sh", ["-c", `${line.replace("scripts/agent", '"$AGENT"')} 2>&1`], {
    cwd: join(import.meta.dir, "../.."),
    env: { AGENT: AGENT_BINARY, PATH: process.env["PATH"], HOME: dir.path, AGENT_HOME: dir.path },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: output });
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
