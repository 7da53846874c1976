import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TempDir, tempDir } from "../testing/temp.ts";
import { type LoadedRules, loadRules } from "./load.ts";

const RULE = "---\ncondition: x\n---\nBody.\n";

async function load(dir: TempDir, cwd = "repo", rulesDirs: readonly string[] = []): Promise<LoadedRules> {
  const home = join(dir.path, "home");
  return await loadRules({ cwd: join(dir.path, cwd), home, env: {}, rulesDirs });
}

/** The rules in force, as `name source path`. */
const inForce = ({ rules }: LoadedRules) =>
  rules.map((rule) => `${rule.name} ${rule.source} ${rule.displayPath}`);

describe("loadRules()", () => {
  test("finds rules in every place, in order of priority", async () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "repo/.git"), { recursive: true });
    for (const file of [
      "repo/.github/instructions/k.instructions.md",
      "repo/.github/instructions/not-one.md",
      "repo/.clinerules/j.md",
      "repo/.windsurf/rules/i.md",
      "repo/.cursor/rules/h.mdc",
      "repo/.cursor/rules/nested/g.md",
      "repo/.claude/rules/f.md",
      "repo/.agents/rules/e.md",
      "home/.config/agent/rules/d.md",
      "repo/.omp/rules/c.md",
      "repo/.agent/rules/b.md",
      "repo/.agent/rules/notes.txt",
      "extra/a.md",
    ]) {
      dir.write(file, RULE);
    }
    expect(inForce(await load(dir, "repo", ["../extra"]))).toEqual([
      "a --rules extra/a.md",
      "b .agent/rules .agent/rules/b.md",
      "c .omp/rules .omp/rules/c.md",
      "d user ~/.config/agent/rules/d.md",
      "e .agents/rules .agents/rules/e.md",
      "f .claude/rules .claude/rules/f.md",
      "h .cursor/rules .cursor/rules/h.mdc",
      "g .cursor/rules .cursor/rules/nested/g.md",
      "i .windsurf/rules .windsurf/rules/i.md",
      "j .clinerules .clinerules/j.md",
      "k.instructions .github/instructions .github/instructions/k.instructions.md",
    ]);
  });

  test("takes the first of a name and tells what it shadows", async () => {
    using dir = tempDir();
    dir.write("repo/.agent/rules/a.md", RULE);
    dir.write("repo/.cursor/rules/a.mdc", RULE);
    const loaded = await load(dir);
    expect(inForce(loaded)).toEqual(["a .agent/rules .agent/rules/a.md"]);
    expect(loaded.shadowed.map(({ rule, by }) => [rule.displayPath, by.displayPath])).toEqual([
      [".cursor/rules/a.mdc", ".agent/rules/a.md"],
    ]);
  });

  test("looks from the working directory up to the repository root, the nearest first", async () => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "repo/.git"), { recursive: true });
    dir.write(".agent/rules/outside.md", RULE);
    dir.write("repo/.agent/rules/a.md", RULE);
    dir.write("repo/packages/one/.agent/rules/a.md", RULE);
    dir.write("repo/.cursor/rules/b.mdc", RULE);
    expect(inForce(await load(dir, "repo/packages/one"))).toEqual([
      "a .agent/rules packages/one/.agent/rules/a.md",
      "b .cursor/rules .cursor/rules/b.mdc",
    ]);
  });

  test("stays in the working directory outside a repository", async () => {
    using dir = tempDir();
    dir.write("repo/.agent/rules/a.md", RULE);
    mkdirSync(join(dir.path, "repo/sub"));
    expect(inForce(await load(dir, "repo/sub"))).toEqual([]);
  });

  test("takes the user's rules from AGENT_HOME, else from XDG_CONFIG_HOME", async () => {
    using dir = tempDir();
    dir.write("own/rules/a.md", RULE);
    dir.write("xdg/agent/rules/b.md", RULE);
    const request = { cwd: dir.path, home: "/nowhere", rulesDirs: [] };
    const xdg = { XDG_CONFIG_HOME: join(dir.path, "xdg") };
    expect((await loadRules({ ...request, env: xdg })).rules.map(({ name }) => name)).toEqual(["b"]);
    const both = { ...xdg, AGENT_HOME: join(dir.path, "own") };
    expect((await loadRules({ ...request, env: both })).rules.map(({ name }) => name)).toEqual(["a"]);
  });

  test("follows links to files and folders, and loops in none", async () => {
    using dir = tempDir();
    dir.write("shared/a.md", RULE);
    mkdirSync(join(dir.path, "repo/.agent/rules/deep"), { recursive: true });
    symlinkSync(join(dir.path, "shared"), join(dir.path, "repo/.agent/rules/shared"));
    symlinkSync("..", join(dir.path, "repo/.agent/rules/deep/up"));
    symlinkSync("missing.md", join(dir.path, "repo/.agent/rules/broken.md"));
    dir.write("repo/.agent/rules/deep/b.md", RULE);
    expect(inForce(await load(dir))).toEqual([
      "b .agent/rules .agent/rules/deep/b.md",
      "a .agent/rules .agent/rules/shared/a.md",
    ]);
  });

  test("does not take one file for two rules", async () => {
    using dir = tempDir();
    dir.write("repo/.agent/rules/a.md", RULE);
    mkdirSync(join(dir.path, "repo/.cursor"));
    symlinkSync("../.agent/rules", join(dir.path, "repo/.cursor/rules"));
    const loaded = await load(dir, "repo", [".agent/rules"]);
    expect(inForce(loaded)).toEqual(["a --rules .agent/rules/a.md"]);
    expect(loaded.shadowed).toEqual([]);
  });

  test("reads one file .clinerules as a rule", async () => {
    using dir = tempDir();
    dir.write("repo/.clinerules", "---\ndescription: d\n---\nBody.\n");
    expect(inForce(await load(dir))).toEqual(["clinerules .clinerules .clinerules"]);
  });

  test("warns with file and line of what could not be taken as it stands", async () => {
    using dir = tempDir();
    dir.write("repo/.agent/rules/a.md", "---\ncondition: x\nglobs: **/*.ts\n---\nBody.\n");
    dir.write("repo/.agent/rules/b.md", new Uint8Array([0xff, 0xfe]));
    dir.write("repo/.agent/rules/c.md", "x".repeat(1_048_577));
    expect((await load(dir)).warnings).toEqual([
      expect.stringMatching(/^\.agent\/rules\/a\.md:3: the value of "globs" is not strict YAML/),
      ".agent/rules/b.md:1: the file is not UTF-8 and was not read; save it as UTF-8",
      ".agent/rules/c.md:1: the file is larger than 1 MiB and was not read; a rule is a short text; split it",
    ]);
  });

  test("warns of a --rules directory without rules, but not of one that was named twice", async () => {
    using dir = tempDir();
    dir.write("repo/gate/a.md", RULE);
    dir.write("repo/empty/a.txt", RULE);
    expect((await load(dir, "repo", ["gate", "gate", "empty"])).warnings).toEqual([
      `"${join(dir.path, "repo/empty")}" has no rules: no file in it ends in .md or .mdc`,
    ]);
  });

  test("rejects with notFound for a --rules directory that is not there", async () => {
    using dir = tempDir();
    await expect(load(dir, "repo", ["nowhere"])).rejects.toThrow(
      expect.objectContaining({ kind: "notFound", message: expect.stringContaining("nowhere") }),
    );
  });

  test("reads a folder of 1,000 rules", async () => {
    using dir = tempDir();
    for (let index = 0; index < 1000; index++) {
      const lines = ["---", `condition: ['a${index}\\b', 'b${index}']`, "globs: **/*.ts", "---", "Body.", ""];
      dir.write(`repo/.agent/rules/r${index}.md`, lines.join("\n"));
    }
    expect((await load(dir)).rules).toHaveLength(1000);
  });
});
