import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { tempDir } from "../../testing/temp.ts";
import { parseShellLine, type ShellLine } from "./shell-line.ts";
import { renderWord, wordText } from "./shell-word.ts";

function lineOf(text: string): ShellLine {
  const parsed = parseShellLine(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.line;
}

/** The words of every command, as text. */
function wordsOf(text: string): readonly (readonly string[])[] {
  return lineOf(text).commands.map((command) => command.words.map(wordText));
}

const cases: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  ["git status", [["git", "status"]]],
  ["  git \t status  ", [["git", "status"]]],
  ["git 'a b' \"c d\" e\\ f", [["git", "a b", "c d", "e f"]]],
  ["git a'b'\"c\"d", [["git", "abcd"]]],
  ["git '' \"\"", [["git", "", ""]]],
  ["git 'it'\\''s'", [["git", "it's"]]],
  ['git "a\\"b\\\\c\\$d\\`e\\x"', [["git", 'a"b\\c$d`e\\x']]],
  ["git a#b # c", [["git", "a#b"]]],
  ["git a=b c{d}", [["git", "a=b", "c{d}"]]],
  ["a;b\nc&&d||e|f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
  ["a;\n\n;b;", [["a"], ["b"]]],
  ["git 2 22", [["git", "2", "22"]]],
  ["[ -f x ]", [["[", "-f", "x", "]"]]],
];

for (const [text, expected] of cases) {
  test(`parseShellLine() reads ${JSON.stringify(text)}`, () => {
    expect(wordsOf(text)).toEqual(expected);
  });
}

test("parseShellLine() reads redirections and joiners", () => {
  expect(lineOf("a < in > out 2>> err && b 2>&1 1>&2 | c")).toEqual({
    commands: [
      {
        words: [[{ text: "a", pattern: false }]],
        redirects: [
          { kind: "read", fd: 0, target: "in" },
          { kind: "write", fd: 1, target: "out" },
          { kind: "append", fd: 2, target: "err" },
        ],
      },
      {
        words: [[{ text: "b", pattern: false }]],
        redirects: [
          { kind: "duplicate", fd: 2, from: 1 },
          { kind: "duplicate", fd: 1, from: 2 },
        ],
      },
      { words: [[{ text: "c", pattern: false }]], redirects: [] },
    ],
    joiners: ["&&", "|"],
  });
});

test("renderWord() leaves only pattern characters bare", () => {
  const [command] = lineOf("ls ./*.ts './*' it\\'s").commands;
  expect(command?.words.map(renderWord)).toEqual(["'ls'", "'./'*'.ts'", "'./*'", "'it'\\''s'"]);
});

/** The words that bash makes of the text. */
function bashWords(text: string, cwd: string): readonly string[] {
  const ran = spawnSync("bash", ["--norc", "-c", `printf '%s\\0' ${text}`], {
    cwd,
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", HOME: "/nowhere" },
  });
  return ran.stdout.split("\0").slice(0, -1);
}

const shellText = fc
  .array(fc.constantFrom(..."ab-=.,:/@%+^~#!'\"\\$`;&|<>(){}[]*?2 \t\n"), { maxLength: 14 })
  .map((characters) => characters.join(""));

test("parseShellLine() understands what it accepts as bash does", () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, "empty"));
  const cwd = join(dir.path, "empty");
  let compared = 0;
  fc.assert(
    fc.property(shellText, (text) => {
      const parsed = parseShellLine(`printf '%s\\0' x ${text}`);
      if (!parsed.ok || parsed.line.commands.length !== 1) return;
      const [command] = parsed.line.commands;
      if (command === undefined || command.redirects.length > 0) return;
      // What a pattern stands for depends on the files around.
      if (command.words.some((word) => word.some((part) => part.pattern))) return;
      compared++;
      expect(bashWords(`x ${text}`, cwd)).toEqual(command.words.slice(2).map(wordText));
    }),
    { numRuns: 800 },
  );
  expect(compared).toBeGreaterThan(50);
});
