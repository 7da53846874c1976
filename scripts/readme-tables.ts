// Writes the README's tables of commands and exit codes from the program's own: `bun scripts/readme-tables.ts`.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../src/cli/commands.ts";
import { EXIT_CODES } from "../src/cli/exit.ts";

const FILE = join(import.meta.dir, "../README.md");

function replaceTable(text: string, name: string, rows: readonly string[]): string {
  const pattern = new RegExp(`(<!-- ${name}:[^>]*-->\\n[^\\n]*\\n[^\\n]*\\n)[^]*?(<!-- /${name} -->)`);
  return text.replace(
    pattern,
    (_, head: string, tail: string) => `${head}${rows.map((row) => `${row}\n`).join("")}${tail}`,
  );
}

const inCell = (text: string) => text.replaceAll("|", "\\|");
const commands = COMMANDS.map(
  (row) => `| \`agent ${inCell(`${row.name} ${row.usage}`.trimEnd())}\` | ${inCell(row.summary)} |`,
);
const codes = EXIT_CODES.map((row) => `| ${row.code} | ${row.meaning} |`);
writeFileSync(
  FILE,
  replaceTable(replaceTable(readFileSync(FILE, "utf8"), "commands", commands), "exit-codes", codes),
);
