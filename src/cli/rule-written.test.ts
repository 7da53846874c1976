import { expect, test } from "bun:test";
import { writtenArguments } from "./rule-written.ts";

test.each([
  ["write", { path: "a", content: "x" }, { path: "path", text: ["content"] }],
  ["Write", { file_path: "a", content: "x" }, { path: "file_path", text: ["content"] }],
  ["Edit", { file_path: "a", old_string: "x", new_string: "y" }, { path: "file_path", text: ["new_string"] }],
  [
    "MultiEdit",
    { file_path: "a", edits: [{ old_string: "x", new_string: "y" }] },
    { path: "file_path", text: ["edits.new_string"] },
  ],
  ["str_replace_editor", { path: "a", new_str: "y" }, { path: "path", text: ["new_str"] }],
  ["edit", { path: "a", oldText: "x", newText: "y" }, { path: "path", text: ["newText"] }],
  ["write", { path: "a" }, { path: "path", text: [] }],
  ["apply_patch", { input: "*** Begin Patch" }, undefined],
  ["bash", { command: "ls", content: "x" }, undefined],
])("writtenArguments() of %s with %j", (name, args, expected) => {
  expect(writtenArguments({ type: "toolCall", id: "c", name, arguments: args })).toEqual(expected);
});
