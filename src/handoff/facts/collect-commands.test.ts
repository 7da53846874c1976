import { describe, expect, test } from "bun:test";
import { keepSecrets } from "../redact.ts";
import { createCommandCollector } from "./collect-commands.ts";
import { commandKey } from "./command-key.ts";

type Run = readonly [command: string, exitCode: number, output?: string];

function facts(...runs: readonly Run[]) {
  const collector = createCommandCollector("/repo", keepSecrets);
  runs.forEach(([command, exitCode, output = ""], order) => {
    const status = exitCode === 0 ? "ok" : "failed";
    collector.run({ command, outcome: { status, exitCode }, output, order, entryId: `e${order}` });
  });
  return collector.facts();
}

const failing = (...runs: readonly Run[]) => facts(...runs).failing.map((fact) => fact.command);

describe("createCommandCollector()", () => {
  test("knows the last run of each command", () => {
    const { commands } = facts(["make", 2, "x.c:1: error: no"], ["ls", 0], ["make", 0]);
    expect(
      commands.map(({ command, status, runs, entryId }) => ({ command, status, runs, entryId })),
    ).toEqual([
      { command: "make", status: "ok", runs: 2, entryId: "e2" },
      { command: "ls", status: "ok", runs: 1, entryId: "e1" },
    ]);
  });

  for (const [what, ...runs] of [
    ["the same command", ["npm test", 1], ["npm test", 0]],
    ["the same in its directory", ["cd /repo && npm test", 1], ["npm test", 0]],
    ["the same behind a filter", ["npm test 2>&1 | tail -5", 1], ["npm test", 0]],
    ["npm run in place of npm", ["npm run test", 1], ["npm test", 0]],
    ["a run of everything", ["bun test src/a.test.ts", 1], ["bun test", 0]],
    ["a commit with another message", ["git commit -m 'a'", 1], ["git commit -m 'b'", 0]],
    ["another timeout", ["timeout 60 cargo build", 1], ["cargo build --release", 0]],
    ["a push that says where to", ["git push", 1], ["git push -u origin topic", 0]],
  ] as const) {
    test(`takes a failure for mended by ${what}`, () => {
      expect(failing(...runs)).toEqual([]);
    });
  }

  for (const [what, ...runs] of [
    ["a run of a part", ["bun test", 1], ["bun test src/a.test.ts", 0]],
    ["another package", ["cd a && npm test", 1], ["cd b && npm test", 0]],
    ["something else", ["npm test", 1], ["npm run lint", 0]],
    ["an earlier success", ["npm test", 0], ["npm test 2>&1", 1]],
    ["another target", ["make test", 2], ["make", 0]],
    ["a push of something else", ["git push origin main", 1], ["git push origin v1", 0]],
    [
      "success behind a pipe that shows failures",
      ["npm test", 1],
      ["npm test | tail -3", 0, "1 failed, 3 passed in 1.2s"],
    ],
  ] as const) {
    test(`does not take a failure for mended by ${what}`, () => {
      expect(failing(...runs)).toHaveLength(what.startsWith("success") ? 2 : 1);
    });
  }

  test("asks the output where a filter hides the status", () => {
    expect(facts(["npm run build 2>&1 | tail -3", 0, "a.ts(1,2): error TS2305: no"]).failing).toMatchObject([
      { status: "failed", exitCode: 0, error: "a.ts(1,2): error TS2305: no" },
    ]);
    expect(facts(["npm run build 2>&1 | tail -3", 0, "built"]).commands).toMatchObject([
      { status: "ok", exitCode: 0 },
    ]);
  });

  for (const line of ["npm test; echo done", "npm test || true", "npm test | tee log && echo done"]) {
    test(`asks the output where "${line}" hides the status`, () => {
      expect(facts([line, 0, "1 failed, 3 passed in 1.2s"]).failing).toMatchObject([
        { status: "failed", exitCode: 0 },
      ]);
      expect(failing([line, 0, "4 passed in 1.2s"])).toEqual([]);
    });
  }

  test("takes the status that the line itself printed", () => {
    expect(facts(['npm run build; echo "exit: $?"', 0, "x\nexit: 2\n"]).failing).toMatchObject([
      { exitCode: 2 },
    ]);
    expect(facts([`make 2>&1 | tail -3; echo \${PIPESTATUS[0]}`, 0, "x\n2"]).failing).toMatchObject([
      { exitCode: 2 },
    ]);
    expect(failing(['npm run build; echo "exit: $?"', 0, "exit: 0"])).toEqual([]);
    expect(failing(['npm run build; echo "exit: $?"', 0, "exit: 1\nmore"])).toEqual([]);
    expect(failing(['diff a b; echo "$?"', 0, "1"])).toEqual([]);
  });

  test("takes a build that fails before a search for a failure", () => {
    expect(failing(["npm run build && ls dist", 1, "Error: x"])).toEqual(["npm run build && ls dist"]);
    expect(failing(["npm test || grep -c fail log", 1, "Error: x"])).toEqual([
      "npm test || grep -c fail log",
    ]);
    expect(failing(["cd app && git status && grep -rn foo src", 1])).toEqual([]);
    expect(failing(["npm run build; ls dist", 2])).toEqual([]);
  });

  test("bounds what it compares of a command with thousands of words", () => {
    const line = `eslint ${Array.from({ length: 8_000 }, (_, n) => `f${n}.ts`).join(" ")}`;
    const { proves, coveredBy } = commandKey(line, "/repo");
    expect([...proves, ...coveredBy].join("").length).toBeLessThan(10_000);
    expect(failing([line, 1, "Error: x"], ["eslint f0.ts", 0])).toHaveLength(0);
    expect(failing([line, 1, "Error: x"], ["eslint f1.ts", 0])).toHaveLength(1);
    expect(failing([line, 1, "Error: x"], [line, 0])).toHaveLength(0);
  });

  test("takes a search that finds nothing for an answer", () => {
    expect(
      failing(
        ["grep -rn foo src", 1],
        ["rg bar", 1],
        ["diff a b", 1],
        ["test -f x", 1],
        ["git diff --quiet", 1],
      ),
    ).toEqual([]);
  });

  test("puts failing checks before other failures, and the latest first", () => {
    expect(
      failing(
        ["node broken.js", 1, "Error: x"],
        ["npm test", 1, "Error: y"],
        ["npm run build", 1, "Error: z"],
      ),
    ).toEqual(["npm run build", "npm test", "node broken.js"]);
  });

  test("takes the outcome of tests for gone where a later run failed before them", () => {
    const broken = ["bun test", 1, "error: Unexpected end of file"] as const;
    expect(facts(["bun test", 0, " 5 pass\n 0 fail\n"], broken).tests).toEqual([]);
    expect(facts(broken, ["bun test", 0, " 5 pass\n 0 fail\n"]).tests).toHaveLength(1);
  });

  test("keeps the last outcome of each thing that ran tests", () => {
    const { tests } = facts(
      ["bun test", 1, " 3 pass\n 2 fail\n"],
      ["pytest -q", 0, "7 passed in 0.79s"],
      ["bun test", 0, " 5 pass\n 0 fail\n"],
    );
    expect(tests).toEqual([
      { summary: "5 pass, 0 fail", passed: 5, failed: 0, command: "bun test", entryId: "e2" },
      { summary: "7 passed in 0.79s", passed: 7, failed: 0, command: "pytest -q", entryId: "e1" },
    ]);
  });
});

describe("createCommandCollector() on what is stale", () => {
  const stale = (...runs: readonly Run[]) =>
    facts(...runs)
      .failing.filter((fact) => fact.stale)
      .map((fact) => fact.command);
  const broken: Run = ["cd app && npx tsc --noEmit", 2, "error TS1: no"];

  test("takes a build for it once builds of the same directory went well twice", () => {
    expect(stale(broken, ["cd app && npm run build", 0], ["cd app && npm run build", 0])).toEqual([
      broken[0],
    ]);
    expect(stale(broken, ["cd app && npm run build", 0])).toEqual([]);
    expect(stale(broken, ["cd web && npm run build", 0], ["cd web && npm run build", 0])).toEqual([]);
  });

  test("takes tests for it only after thirty other commands", () => {
    const since = (count: number) => Array.from({ length: count }, (_, n): Run => [`npm test ${n}.ts`, 0]);
    expect(stale(["npm test a.ts", 1], ...since(30))).toEqual([]);
    expect(stale(["npm test a.ts", 1], ...since(31))).toEqual(["npm test a.ts"]);
  });
});
