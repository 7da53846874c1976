import { expect, test } from "bun:test";
import { tempDir } from "../testing/temp.ts";
import { findBuiltIn } from "./run-built-ins.ts";
import { expandTemplate, fillTemplate, splitWords } from "./run-template.ts";

test("splitWords() splits as a shell does", () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["", []],
    ["a b", ["a", "b"]],
    ['a "b c" d', ["a", "b c", "d"]],
    ["'it''s' x", ["its", "x"]],
    ['"say \\"hi\\""', ['say "hi"']],
    ["a\\ b c", ["a b", "c"]],
    ["it's", ["it's"]],
  ];
  for (const [text, words] of rows) expect(splitWords(text)).toEqual(words);
});

test("fillTemplate() fills in words, all of them, and nothing for one that is not there", () => {
  expect(fillTemplate("$1-$2-$10-$@ $x $", 'a "b c"')).toBe('a-b c--a "b c" $x $');
});

test("expandTemplate() looks in the project, then in the user's directory", () => {
  using dir = tempDir();
  dir.write("user/prompts/both.md", "user's");
  dir.write("user/prompts/own.md", "own");
  dir.write("project/.agent/prompts/both.md", "project's $1");
  const expand = (text: string) =>
    expandTemplate(text, {
      cwd: `${dir.path}/project`,
      userDirectory: `${dir.path}/user`,
      trusted: () => false,
    });
  expect(expand("/both x")).toEqual({ text: "project's x" });
  expect(expand("/own")).toEqual({ text: "own" });
  expect(expand("/none x")).toEqual({
    text: "/none x",
    notice: 'there is no template .agent/prompts/none.md; "/none" is sent as it is',
  });
  for (const text of ["plain", "/a/path is one", "a /both", "//both", "/../x"])
    expect(expand(text)).toEqual({ text });
});

test("findBuiltIn() takes the command alone or followed by white space", () => {
  expect(findBuiltIn("/handoff")).toEqual({ name: "handoff", rest: "" });
  expect(findBuiltIn(" /handoff \n the tests ")).toEqual({ name: "handoff", rest: "the tests" });
  for (const text of ["/handoffs", "/handoff-x", "x /handoff", "/other"])
    expect(findBuiltIn(text)).toBeUndefined();
});
