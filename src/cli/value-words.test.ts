import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { PERMISSION_FLAGS } from "./permission-flags.ts";

/** By flag: words that are taken for its value, and words that are a prompt. */
const ROWS: readonly (readonly [flags: string, values: string, prompts: readonly string[]])[] = [
  [
    "allow-read allow-write deny-read deny-write",
    "src src/new a,b . .. ~ ~/x README.md notes.md",
    ["fix", "fix the test", "look at src/a.ts", "Continue.", "weiter…", "@notes.md", "-", "", "tool"],
  ],
  [
    "allow-run deny-run",
    "git,npm tool ./x /bin/ls npm.cmd script",
    ["fix", "tool the test", "run git, then npm", "Go."],
  ],
  ["allow-env", "CI,HOME CI", ["fix", "CI fails", "HOME"]],
  ["allow-net", "github.com a,b https://x", ["fix", "load github.com"]],
];

for (const [flags, values, prompts] of ROWS) {
  test(`${flags} tell a value after a space from a prompt`, () => {
    using dir = tempDir();
    dir.write("src/a.ts", "");
    dir.write("notes.md", "");
    for (const program of ["bin/tool", "script"]) chmodSync(dir.write(program, "#!/bin/sh\n"), 0o755);
    const place = { cwd: dir.path, env: { PATH: join(dir.path, "bin"), CI: "1" } };
    for (const name of flags.split(" ")) {
      const looksLikeValue = PERMISSION_FLAGS.find((flag) => flag.name === name)?.looksLikeValue;
      const taken = [...values.split(" "), ...prompts].filter((word) => looksLikeValue?.(word, place));
      expect({ name, taken }).toEqual({ name, taken: values.split(" ") });
    }
  });
}

test("every permission flag whose value is optional knows what a value looks like", () => {
  const optional = PERMISSION_FLAGS.filter(({ value }) => value.kind === "text" && value.optional === true);
  expect(optional.filter(({ looksLikeValue }) => looksLikeValue === undefined)).toEqual([]);
});
