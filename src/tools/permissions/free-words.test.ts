import { expect, test } from "bun:test";
import { judgeCommand } from "./command.ts";

const judge = (command: string, deny: readonly string[] = []) =>
  judgeCommand(command, { allow: ["npm"], deny });

test("judgeCommand() accepts words of the shell that nothing names, beside what is named", () => {
  const refused = [
    "npm test || true",
    "npm test && echo 'all good' || exit 1",
    "printf 'y\\n' | npm init",
    "test -f package.json && npm test",
    "[ -d node_modules ] || npm ci",
    "[ ! -e dist ] && npm run build",
    "pwd; : anything; false",
    "exit",
  ].filter((command) => !judge(command).ok);
  expect(refused).toEqual([]);
});

/** Words after a free one, and what the reason must say. */
const REFUSED: readonly (readonly [string, string])[] = [
  ["echo /home/*/.ssh/*", "lists files"],
  ["printf '%s' ./*", "lists files"],
  [": ./*", "lists files"],
  ["test -f ./*", "lists files"],
  ["exit x", "one number"],
  ["exit 1 2", "one number"],
  ["exit 'a[0]'", "one number"],
  ["test -v 'a[0]'", "one question"],
  ["test -f a -o -f b", "one question"],
  ["test a -nt b", "one question"],
  ["test x", "one question"],
  ["test -f ''", "one question"],
  ["[ -f a", "no ]"],
  ["[ ]", "one question"],
  ["/bin/echo x", "not one of the allowed"],
  ["Echo x", "not one of the allowed"],
  ["cat x", "not one of the allowed"],
];

test("judgeCommand() refuses after such a word what lists, evaluates or cannot be judged", () => {
  const wrong = REFUSED.flatMap(([command, why]) => {
    const judged = judge(command);
    if (judged.ok) return [`ACCEPTED ${command}`];
    return judged.reason.includes(why) ? [] : [`${command}: ${judged.reason}`];
  });
  expect(wrong).toEqual([]);
});

test("judgeCommand() refuses such a word, and cd, where it is denied", () => {
  const reasons = ["echo x", "exit", "cd a && npm test"].map((command) =>
    judge(command, ["echo", "exit", "cd"]),
  );
  expect(reasons.map((judged) => !judged.ok && judged.reason)).toEqual(Array(3).fill("--deny-run covers it"));
});

test("judgeCommand() takes cd off the beginning of a line, and leaves the rest", () => {
  const judged = judge("cd a/b 2>/dev/null && cd ../c; npm test && npm run 'x y'");
  expect(judged).toMatchObject({
    ok: true,
    directories: ["a/b", "../c"],
    line: { commands: [{}, {}], joiners: ["&&"] },
  });
});
