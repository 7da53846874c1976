import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { loadContextFiles } from "./context-files.ts";

const UNTRUSTED = { trusted: () => false, onIgnored: () => {} };

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
    ...UNTRUSTED,
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
  const [file] = loadContextFiles({
    cwd: dir.path,
    home: "/nowhere",
    configDirectory: undefined,
    ...UNTRUSTED,
  });
  expect(file?.text).toBe(`${"x".repeat(100_000)}\n[The rest of this file was left out.]`);
});

test("loadContextFiles() follows a link out of the project only if it is trusted", () => {
  using dir = tempDir();
  dir.write("secret", "SECRET");
  dir.write("project/.git/HEAD", "");
  dir.write("project/real.md", "inside");
  dir.write("project/a/x", "");
  symlinkSync("../secret", join(dir.path, "project/AGENTS.md"));
  symlinkSync("../real.md", join(dir.path, "project/a/AGENTS.md"));
  const ignored: string[] = [];
  const request = {
    cwd: join(dir.path, "project/a"),
    home: "/nowhere",
    configDirectory: undefined,
    onIgnored: (path: string) => ignored.push(path),
  };
  const texts = (trusted: boolean) =>
    loadContextFiles({ ...request, trusted: () => trusted }).map((file) => file.text);
  expect(texts(false)).toEqual(["inside"]);
  expect(ignored).toEqual([join(dir.path, "project/AGENTS.md")]);
  expect(texts(true)).toEqual(["SECRET", "inside"]);
});
