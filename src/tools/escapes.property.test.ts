// Laws of the boundary, tried with random paths and random command lines: nothing outside is read, written or run.

import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { textOf } from "../model/messages.ts";
import { type ToolPlace, toolPlace } from "../testing/tool-place.ts";

function fill(place: ToolPlace): void {
  place.write("dir/file", "inside");
  mkdirSync(join(place.outside, "deep"));
  writeFileSync(join(place.outside, "secret"), "SECRET");
  writeFileSync(join(place.outside, "deep/secret"), "SECRET");
  symlinkSync("..", join(place.cwd, "up"));
  symlinkSync("../outside", join(place.cwd, "out"));
  symlinkSync("../outside/secret", join(place.cwd, "dir/link"));
  symlinkSync("../../outside/new", join(place.cwd, "dir/dangling"));
  symlinkSync("/", join(place.cwd, "root"));
}

/** What `write` may make inside has the name that must not be told of outside: gone before the next path is tried. */
function removeOwnSecrets(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) removeOwnSecrets(path);
    else if (entry.isFile() && entry.name === "secret") rmSync(path);
  }
}

/** Paths of segments that go up, down, through links and back in. */
function pathsIn(place: ToolPlace) {
  const segments = [
    "..",
    ".",
    "",
    "dir",
    "file",
    "link",
    "dangling",
    "up",
    "out",
    "root",
    "project",
    "outside",
    "deep",
    "secret",
    "new",
    "proc",
    "self",
    "cwd",
  ];
  const start = fc.constantFrom(
    "",
    "/",
    `${place.cwd}/`,
    `${place.outside}/`,
    "/proc/self/cwd/",
    "~/",
    `root${place.outside}/`,
  );
  return fc
    .tuple(start, fc.array(fc.constantFrom(...segments), { maxLength: 6 }))
    .map(([first, rest]) => first + rest.join("/"));
}

test("no path makes read, ls or grep tell what is outside, nor write or edit change it", async () => {
  using place = await toolPlace({ grants: { write: true } });
  fill(place);
  await fc.assert(
    fc.asyncProperty(pathsIn(place), async (path) => {
      const results = [
        await place.call("read", { path }),
        await place.call("grep", { path, pattern: "SECRET" }),
        await place.call("ls", { path }),
        await place.call("write", { path, content: "new" }),
        await place.call("edit", { path, oldText: "SECRET", newText: "new" }),
      ];
      const told = results.map((result) => textOf(result.content)).join("\n");
      expect(told).not.toMatch(/^SECRET|:1:SECRET|^secret$/m);
      expect(readdirSync(place.outside).toSorted()).toEqual(["deep", "secret"]);
      expect(readFileSync(join(place.outside, "secret"), "utf8")).toBe("SECRET");
      expect(readdirSync(join(place.outside, "deep"))).toEqual(["secret"]);
      removeOwnSecrets(place.cwd);
    }),
    { numRuns: 400 },
  );
});

const FRAGMENTS = [
  "echo",
  "touch owned",
  "owned",
  " ",
  " ",
  "a",
  ";",
  "\n",
  "&&",
  "||",
  "|",
  "&",
  "`",
  "$(",
  ")",
  "(",
  "{",
  "}",
  "'",
  '"',
  "\\",
  ">",
  "<",
  ">>",
  "2>&1",
  "#",
  "$IFS",
  "x=1 ",
  "*",
  "?",
  "~",
  "!",
  "env ",
  "eval ",
  "exec ",
  "if true; then ",
  "; fi",
  "<(touch owned)",
  "$'\\x20'",
  "echo$IFS",
  "function echo { touch owned; }",
  "<<EOF\n",
  "EOF",
];

test("no command line makes bash run a program that is not allowed", async () => {
  using place = await toolPlace({ grants: { run: ["echo"] } });
  let ran = 0;
  const line = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 9 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        line,
        line.map((rest) => `echo a ${rest}`),
      ),
      async (command) => {
        const result = await place.call("bash", { command });
        if (result.denied === undefined) ran++;
        expect(existsSync(join(place.cwd, "owned"))).toBe(false);
        rmSync(join(place.cwd, "owned"), { force: true });
      },
    ),
    { numRuns: 500 },
  );
  expect(ran).toBeGreaterThan(10);
});
