// docs/rules.md is true: its files are written, its commands are run one after another, and give what the page shows.

import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { FINDINGS } from "../rules/finding.ts";
import { AGENT_BINARY } from "../testing/spawn.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../docs/rules.md"), "utf8");

type Step =
  | { readonly kind: "file"; readonly name: string; readonly content: string }
  | { readonly kind: "command"; readonly line: string; readonly output: string };

/** Fenced blocks with `file=NAME`, and the commands of `console` blocks with what follows each. */
function steps(): readonly Step[] {
  return [...PAGE.matchAll(/^```(\w+)(?: file=(\S+))?\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language, name, content = ""]): readonly Step[] => {
      if (name !== undefined) return [{ kind: "file", name, content }];
      if (language !== "console") return [];
      return content
        .split(/^\$ /m)
        .slice(1)
        .map((part): Step => {
          const [line = "", ...output] = part.split("\n");
          return { kind: "command", line, output: output.join("\n") };
        });
    },
  );
}

/** What a shell prints, both streams in the order of writing. */
function shell(line: string, dir: TempDir): string {
  const { stdout } = spawnSync("sh", ["-c", `{ ${line}\n} 2>&1`], {
    cwd: join(dir.path, "project"),
    env: {
      PATH: `${join(dir.path, "bin")}:${process.env["PATH"]}`,
      HOME: dir.path,
      AGENT_HOME: join(dir.path, "home"),
    },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return stdout;
}

const hasJq = spawnSync("jq", ["--version"]).status === 0;
if (!hasJq) console.warn("jq is missing: examples that use it are skipped");

describe("docs/rules.md", () => {
  test("has examples that do what they show", () => {
    using dir = tempDir();
    dir.write("project/.git/HEAD", "");
    dir.write("bin/.keep", "");
    symlinkSync(AGENT_BINARY, join(dir.path, "bin/agent"));
    let commands = 0;
    for (const step of steps()) {
      if (step.kind === "file") {
        dir.write(join("project", step.name), step.content);
        continue;
      }
      if (!hasJq && step.line.includes("jq ")) continue;
      expect(`$ ${step.line}\n${shell(step.line, dir)}`).toBe(`$ ${step.line}\n${step.output}`);
      commands += 1;
    }
    expect(commands).toBeGreaterThan(10);
  }, 60_000);

  test("lists every finding", () => {
    const rows = [...PAGE.matchAll(/^\| (R\d+) \| (\w+) \| (.*) \|$/gm)].map(([, ...cells]) => cells);
    expect(rows).toEqual(
      Object.entries(FINDINGS).map(([code, { severity, title }]) => [code, severity, title]),
    );
  });
});
