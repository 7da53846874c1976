import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { tempDir } from "../testing/temp.ts";
import { COMMANDS } from "./commands.ts";
import { renderCompletions } from "./completions.ts";

const commands = await Promise.all(COMMANDS.map(async (row) => ({ ...row, command: await row.load() })));

/** What bash offers for a line whose last word is being typed. */
function completeInBash(words: readonly string[], cwd = "/"): readonly string[] {
  const line = words.map((word) => `'${word}'`).join(" ");
  const script = `${renderCompletions("bash", commands)}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _agent; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const bash = spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8", cwd });
  expect(bash.stderr).toBe("");
  return bash.stdout.split("\n").filter((word) => word !== "");
}

test("renderCompletions() for bash offers commands, then flags, then a flag's choices", () => {
  expect(completeInBash(["agent", "compl"])).toEqual(["completions"]);
  expect(completeInBash(["agent", "completions", "--col"])).toEqual(["--color"]);
  expect(completeInBash(["agent", "completions", "--color", "al"])).toEqual(["always"]);
});

test("renderCompletions() for bash offers the words of a group", () => {
  const groups = new Set(
    COMMANDS.flatMap((row) => (row.name.includes(" ") ? [row.name.split(" ")[0] ?? ""] : [])),
  );
  for (const group of groups) {
    const expected = COMMANDS.filter((row) => row.name.startsWith(`${group} `)).map(
      (row) => row.name.split(" ")[1] ?? "",
    );
    expect(completeInBash(["agent", group, ""])).toEqual(expected);
  }
});

test("renderCompletions() for bash sees the command behind global flags, and a flag's value behind its flag", () => {
  expect(completeInBash(["agent", "--cwd", "/tmp", "sess"])).toEqual(["session"]);
  expect(completeInBash(["agent", "--color", "=", "never", "session", "sh"])).toEqual(["show"]);
  expect(completeInBash(["agent", "--color", ""])).toEqual(["auto", "always", "never"]);
  expect(completeInBash(["agent", "run", "--output", "=", "js"])).toEqual(["json", "jsonl"]);
  expect(completeInBash(["agent", "rules", "list", "--output", ""])).toEqual(["text", "json"]);
});

test("renderCompletions() for bash offers the words of an argument, and commands after help", () => {
  expect(completeInBash(["agent", "completions", ""])).toEqual(["bash", "zsh", "fish"]);
  expect(completeInBash(["agent", "completions", "bash", ""])).toEqual([]);
  expect(completeInBash(["agent", "help", "hand"])).toEqual(["handoff"]);
});

test("renderCompletions() for bash offers latest and files where a session is meant", () => {
  using dir = tempDir();
  dir.write("late night.jsonl", "");
  dir.write("a.jsonl", "");
  for (const words of [
    ["handoff"],
    ["session", "show"],
    ["session", "stats", "--output", "json"],
    ["run", "--session"],
    ["run", "--fork", "="],
  ])
    expect(completeInBash(["agent", ...words, "la"], dir.path)).toEqual(["latest", "late night.jsonl"]);
  expect(completeInBash(["agent", "handoff", ""], dir.path)).toEqual([
    "latest",
    "a.jsonl",
    "late night.jsonl",
  ]);
  expect(completeInBash(["agent", "handoff", "--foc"], dir.path)).toEqual(["--focus"]);
});

for (const shell of ["zsh", "fish"] as const) {
  const found = spawnSync(shell, ["--version"]).status === 0;
  test.skipIf(!found)(
    `renderCompletions() for ${shell} is accepted by ${shell} (skipped where it is not installed)`,
    () => {
      const check = spawnSync(shell, ["-n"], { input: renderCompletions(shell, commands), encoding: "utf8" });
      expect([check.status, check.stderr]).toEqual([0, ""]);
    },
  );
}
