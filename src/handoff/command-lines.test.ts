import { expect, test } from "bun:test";
import { commandLines, failingLines, shortCommand } from "./command-lines.ts";
import { createCommandCollector } from "./facts/collect-commands.ts";
import { keepSecrets } from "./redact.ts";

type Run = readonly [command: string, exitCode: number, output?: string];

function factsOf(...runs: readonly Run[]) {
  const collector = createCommandCollector("/repo", keepSecrets);
  runs.forEach(([command, exitCode, output = ""], order) => {
    const status = exitCode === 0 ? "ok" : "failed";
    collector.run({ command, outcome: { status, exitCode }, output, order, entryId: `e${order}` });
  });
  return { ...collector.facts(), cwd: "/repo" };
}

const told = (...runs: readonly Run[]) => commandLines(factsOf(...runs), 4000).map((line) => line.text);

test("commandLines() counts what only looked, and tells the rest", () => {
  expect(
    told(
      ["grep -n x a.ts", 0],
      ["cd /repo && ls src", 0],
      ["git log --oneline | head -3", 0],
      ["grep y b.ts", 0],
      ["echo x > a.txt", 0],
      ["sed -i s/a/b/ a.ts", 0],
      ["find . -name x -delete", 0],
      ["cat a.ts && npm test", 0],
    ),
  ).toEqual([
    "`cat a.ts && npm test` → ok [e7]",
    "`find . -name x -delete` → ok [e6]",
    "`sed -i s/a/b/ a.ts` → ok [e5]",
    "`echo x > a.txt` → ok [e4]",
    "4 commands that only looked: grep 2, git log 1, ls 1; the last [e3]",
  ]);
});

test("commandLines() says of a search that found nothing that there was no match", () => {
  expect(told(["grep -n console src/a.ts", 1])).toEqual([
    "`grep -n console src/a.ts` → no match, exit 1 [e0]",
  ]);
  expect(told(["rg x missing.txt", 2])).toEqual(["`rg x missing.txt` → failed, exit 2 [e0]"]);
});

test("failingLines() says how long ago a command failed", () => {
  const since = Array.from({ length: 6 }, (_, n): Run => [`touch ${n}`, 0]);
  const lines = failingLines(factsOf(["npm test", 1, "error: no"], ...since));
  expect(lines.map((line) => line.text)).toEqual([
    "`npm test` → failed, exit 1, 6 commands ago: error: no [e0]",
  ]);
});

test("shortCommand() leaves out a change to the session's own directory, and no other", () => {
  expect(shortCommand("cd /repo && npm test", "/repo")).toBe("npm test");
  expect(shortCommand("cd /repo/ ; npm test", "/repo")).toBe("npm test");
  expect(shortCommand("cd /repo/app && npm test", "/repo")).toBe("cd /repo/app && npm test");
  expect(shortCommand("cd /repo", "/repo")).toBe("cd /repo");
});
