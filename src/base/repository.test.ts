import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { directoriesUp, repositoryPath } from "./repository.ts";

test("repositoryPath() goes up to the nearest directory with .git, be it a directory or a worktree's file", () => {
  using dir = tempDir();
  const at = (path: string) => join(dir.path, path);
  mkdirSync(at("outer/.git"), { recursive: true });
  mkdirSync(at("outer/a/b"), { recursive: true });
  dir.write("outer/tree/.git", "gitdir: elsewhere\n");
  expect(repositoryPath(at("outer"))).toEqual([at("outer")]);
  expect(repositoryPath(at("outer/a/b"))).toEqual([at("outer/a/b"), at("outer/a"), at("outer")]);
  expect(repositoryPath(at("outer/tree"))).toEqual([at("outer/tree")]);
});

test("repositoryPath() is undefined outside a repository, where directoriesUp() gives the directory alone", () => {
  using dir = tempDir();
  expect(repositoryPath(dir.path)).toBeUndefined();
  expect(directoriesUp(dir.path)).toEqual([dir.path]);
});
