import { expect, test } from "bun:test";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { directoriesToRoot, loadContextFiles } from "./context-files.ts";

test("loadContextFiles() gives the user's file, then the project's from its root down, AGENTS.md before CLAUDE.md", () => {
  using dir = tempDir();
  dir.write("home/.config/agent/AGENTS.md", "user");
  dir.write("project/.git/HEAD", "");
  dir.write("project/AGENTS.md", "root");
  dir.write("project/CLAUDE.md", "not this one");
  dir.write("project/a/b/CLAUDE.md", "near");
  dir.write("AGENTS.md", "above the repository");
  const files = loadContextFiles({
    cwd: join(dir.path, "project/a/b"),
    home: join(dir.path, "home"),
    configDirectory: join(dir.path, "home/.config/agent"),
  });
  expect(files).toEqual([
    { displayPath: "~/.config/agent/AGENTS.md", text: "user" },
    { displayPath: "AGENTS.md", text: "root" },
    { displayPath: "a/b/CLAUDE.md", text: "near" },
  ]);
});

test("loadContextFiles() cuts a file that is too long, and says so", () => {
  using dir = tempDir();
  dir.write("AGENTS.md", "x".repeat(200_000));
  const [file] = loadContextFiles({ cwd: dir.path, home: "/nowhere", configDirectory: undefined });
  expect(file?.text).toBe(`${"x".repeat(100_000)}\n[The rest of this file was left out.]`);
});

test("directoriesToRoot() is the directory alone outside a repository", () => {
  using dir = tempDir();
  expect(directoriesToRoot(dir.path)).toEqual([dir.path]);
});
