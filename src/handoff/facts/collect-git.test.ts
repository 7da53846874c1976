import { expect, test } from "bun:test";
import { keepSecrets } from "../redact.ts";
import { createGitCollector } from "./collect-git.ts";

function after(...runs: readonly (readonly [command: string, output: string])[]) {
  const collector = createGitCollector(keepSecrets);
  runs.forEach(([command, output], index) => {
    collector.ran(command, output, `e${index}`);
  });
  return { git: collector.git(), commits: collector.commits() };
}

test("createGitCollector() reads commits from what git commit prints, the latest first", () => {
  const first = "[main (root-commit) 1a2b3c4] first\n 1 file changed\n";
  const second = "[feat/x 5d6e7f8] second: more\n 2 files changed\n";
  expect(after(["git commit -m first", first], ["git commit -am second", second])).toEqual({
    git: { branch: "feat/x", branchEntryId: "e1", commit: "5d6e7f8", entryId: "e1" },
    commits: [
      { hash: "5d6e7f8", subject: "second: more", branch: "feat/x", entryId: "e1" },
      { hash: "1a2b3c4", subject: "first", branch: "main", entryId: "e0" },
    ],
  });
});

for (const [command, output, branch, commit] of [
  ["git status", "On branch main\nnothing to commit", "main", null],
  ["git status -sb", "## fix/a.b...origin/fix/a.b [ahead 1]\n", "fix/a.b", null],
  ["git checkout -b topic", "Switched to a new branch 'topic'\n", "topic", null],
  ["git switch main", "Switched to branch 'main'\nYour branch is up to date", "main", null],
  ["git branch --show-current", "release/2\n", "release/2", null],
  ["git branch", "  a\n* b\n  c\n", "b", null],
  [
    "git rev-parse HEAD",
    "4be19c2d0f8a6b3c1e5d7f9a0b2c4d6e8f0a1b2c\n",
    null,
    "4be19c2d0f8a6b3c1e5d7f9a0b2c4d6e8f0a1b2c",
  ],
  ["git log --oneline -3", "4be19c2 one\n1a2b3c4 two\n", null, "4be19c2"],
  ["git log --oneline main..topic", "4be19c2 one\n", null, null],
  ["echo '[main 1a2b3c4] no'", "[main 1a2b3c4] no\n", null, null],
  ["git log --format='%h %s' -n 3 2>/dev/null | head", "4be19c2 one\n", null, "4be19c2"],
  ["git log --oneline src/a.ts", "4be19c2 one\n", null, null],
  ["git log --oneline topic", "4be19c2 one\n", null, null],
  ["git rev-parse HEAD~1", "4be19c2d0f8a6b3c1e5d7f9a0b2c4d6e8f0a1b2c\n", null, null],
  ["git show HEAD:README.md", "## Usage\nOn branch x\n", null, null],
  ["cat docs/git.md", "## Usage\n", null, null],
] as const) {
  test(`createGitCollector() reads ${command}`, () => {
    expect(after([command, output]).git).toMatchObject({ branch, commit });
  });
}

test("createGitCollector() takes the commit of a branch for that of no other", () => {
  const commit = ["git commit -m a", "[main 1a2b3c4] a\n"] as const;
  expect(after(commit, ["git checkout dev", "Switched to branch 'dev'\n"]).git).toEqual({
    branch: "dev",
    branchEntryId: "e1",
    commit: null,
    entryId: "e1",
  });
  expect(after(commit, ["git switch -c dev", "Switched to a new branch 'dev'\n"]).git).toEqual({
    branch: "dev",
    branchEntryId: "e1",
    commit: "1a2b3c4",
    entryId: "e0",
  });
  const detached = "You are in 'detached HEAD' state.\n\nHEAD is now at 5d6e7f8 b\n";
  expect(after(commit, ["git checkout 5d6e7f8", detached]).git).toMatchObject({
    branch: null,
    commit: "5d6e7f8",
  });
});
