import { expect, test } from "bun:test";
import { toolKindOf } from "./tool-kinds.ts";

test("toolKindOf() gives one kind for each agent's name of a tool", () => {
  const rows = {
    shell: [
      "Bash",
      "bash",
      "shell",
      "shell_command",
      "exec_command",
      "write_stdin",
      "run_shell_command",
      "local_shell_call",
    ],
    read: ["Read", "read", "read_file", "view", "view_image", "read_many_files", "NotebookRead"],
    write: ["Write", "write", "write_file", "create"],
    edit: ["Edit", "MultiEdit", "NotebookEdit", "apply_patch", "replace", "str_replace_editor", "ast_edit"],
    search: ["Grep", "Glob", "LS", "grep", "find", "list_dir", "search_file_content", "ast_grep"],
    web: ["WebFetch", "WebSearch", "web_search_call", "google_web_search", "webfetch", "web_fetch"],
    todo: ["TodoWrite", "todowrite", "update_plan", "write_todos", "todo", "TaskCreate", "TaskUpdate"],
    subagent: ["Task", "Agent", "task", "spawn_agent", "codebase_investigator"],
  };
  const kinds = Object.fromEntries(
    Object.entries(rows).map(([kind, names]) => [kind, [...new Set(names.map(toolKindOf))]]),
  );
  expect(kinds).toEqual(Object.fromEntries(Object.keys(rows).map((kind) => [kind, [kind]])) as typeof kinds);
});

test("toolKindOf() takes a functions. prefix off and leaves MCP tools and unknown names alone", () => {
  expect(["functions.shell", "mcp__files__read", "mcp_postgres_list", "frobnicate"].map(toolKindOf)).toEqual([
    "shell",
    "other",
    "other",
    "other",
  ]);
});
