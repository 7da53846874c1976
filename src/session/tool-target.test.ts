import { expect, test } from "bun:test";
import type { JsonObject } from "../base/json.ts";
import { toolTarget } from "./tool-target.ts";

const target = (name: string, args: JsonObject) =>
  toolTarget({ type: "toolCall", id: "c1", name, arguments: args });

test("toolTarget() gives a shell call's command whether it is text, a list for a shell, or a list of words", () => {
  const cwd = undefined;
  expect([
    target("Bash", { command: "npm test" }),
    target("shell", { command: ["bash", "-lc", "npm test | tail"], workdir: "/srv/app" }),
    target("shell", { command: ["rg", "-n", "it's here", "src"] }),
    target("exec_command", { cmd: "ls" }),
    target("write_stdin", { session_id: 7, chars: "y\n" }),
  ]).toEqual([
    { kind: "shell", command: "npm test", cwd },
    { kind: "shell", command: "npm test | tail", cwd: "/srv/app" },
    { kind: "shell", command: "rg -n 'it'\\''s here' src", cwd },
    { kind: "shell", command: "ls", cwd },
    { kind: "shell", command: undefined, cwd },
  ]);
});

const PATCH = [
  "*** Begin Patch",
  "*** Add File: docs/new.md",
  "+hello",
  "*** Update File: src/old name.ts",
  "*** Move to: src/new.ts",
  "@@",
  "-a",
  "+b",
  "*** Delete File: gone.txt",
  "*** End Patch",
].join("\n");

test("toolTarget() lists the files of a patch given as a tool's input, as a command, or in a here-document", () => {
  const edit = {
    kind: "edit" as const,
    changes: [
      { path: "docs/new.md", change: "add" as const },
      { path: "src/old name.ts", change: "move" as const, to: "src/new.ts" },
      { path: "gone.txt", change: "delete" as const },
    ],
  };
  expect([
    target("apply_patch", { input: PATCH }),
    target("shell", { command: ["apply_patch", PATCH] }),
    target("shell_command", { command: `apply_patch <<'EOF'\n${PATCH}\nEOF` }),
    target("shell", { command: ["bash", "-lc", `cd /srv/app && apply_patch <<'EOF'\n${PATCH}\nEOF`] }),
  ]).toEqual([edit, edit, edit, edit]);
});

test("toolTarget() lists the files of a unified diff without git's prefixes", () => {
  const diff =
    "--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/y.ts\t2026-01-01\n@@ -0,0 +1 @@\n+c\n";
  expect(target("patch", { patchText: diff })).toEqual({
    kind: "edit",
    changes: [
      { path: "x.ts", change: "update" },
      { path: "y.ts", change: "add" },
    ],
  });
});

test("toolTarget() finds paths under each agent's key and lists each once", () => {
  expect([
    target("Read", { file_path: "/a" }),
    target("read", { path: "b" }),
    target("read", { filePath: "c" }),
    target("read_many_files", { paths: ["d", "e", "d"] }),
    target("Write", { file_path: "f", content: "…" }),
    target("Edit", { file_path: "g", old_string: "1", new_string: "2" }),
    target("edit", { edits: [{ path: "h" }, { path: "i" }] }),
    target("str_replace_editor", { command: "view", path: "j" }),
    target("str_replace_editor", { command: "create", path: "k" }),
  ]).toEqual([
    { kind: "read", paths: ["/a"] },
    { kind: "read", paths: ["b"] },
    { kind: "read", paths: ["c"] },
    { kind: "read", paths: ["d", "e"] },
    { kind: "write", paths: ["f"] },
    { kind: "edit", changes: [{ path: "g", change: "update" }] },
    {
      kind: "edit",
      changes: [
        { path: "h", change: "update" },
        { path: "i", change: "update" },
      ],
    },
    { kind: "read", paths: ["j"] },
    { kind: "write", paths: ["k"] },
  ]);
});

test("toolTarget() gives queries, addresses and tasks, and leaves out what is not there", () => {
  expect([
    target("Grep", { pattern: "TODO", path: "src" }),
    target("WebFetch", { url: "https://example.org/a", prompt: "summarise" }),
    target("web_search_call", { action: { type: "search", query: "bun sea" } }),
    target("Task", { description: "look around", prompt: "Find …" }),
    target("TodoWrite", { todos: [] }),
    target("Read", { file_path: 7 }),
    target("mcp__db__query", { sql: "select 1" }),
  ]).toEqual([
    { kind: "search", query: "TODO", paths: ["src"] },
    { kind: "web", address: "https://example.org/a" },
    { kind: "web", address: "bun sea" },
    { kind: "subagent", task: "look around" },
    { kind: "todo" },
    { kind: "read", paths: [] },
    { kind: "other" },
  ]);
});
