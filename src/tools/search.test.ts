// `ls`, `find` and `grep`: what they show, what they leave out, and where they never go.

import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../model/messages.ts";
import { type ToolPlace, toolPlace } from "../testing/tool-place.ts";

/** A small repository beside a directory with a secret. */
function fill(place: ToolPlace): void {
  mkdirSync(join(place.cwd, ".git"));
  place.write(".git/config", "needle\n");
  place.write(".git/info/exclude", "local.txt\n");
  place.write(".gitignore", "dist/\n*.log\n!keep.log\n/top.txt\n");
  place.write("top.txt", "needle\n");
  place.write("local.txt", "needle\n");
  place.write("dist/out.ts", "needle\n");
  place.write("a.log", "needle\n");
  place.write("keep.log", "needle\n");
  place.write("src/top.txt", "hay\nneedle here\nhay\n");
  place.write("src/a.ts", "const x = 1;\nNEEDLE\n");
  place.write("src/.gitignore", "gen/\n");
  place.write("src/gen/b.ts", "needle\n");
  place.write(".env", "needle=1\n");
  place.write("bin.dat", new Uint8Array([0, 1, 2]));
  writeFileSync(join(place.outside, "secret.txt"), "needle\n");
  symlinkSync(place.outside, join(place.cwd, "link"));
  symlinkSync(join(place.outside, "secret.txt"), join(place.cwd, "secret-link.txt"));
}

test("ls lists names, with marks for directories and links", async () => {
  using place = await toolPlace();
  place.write("b.txt", "");
  place.write(".hidden", "");
  place.write("dir/x", "");
  place.write("odd\nname", "");
  symlinkSync("b.txt", join(place.cwd, "z"));
  expect(await place.text("ls", {})).toBe('"odd\\nname"\n.hidden\nb.txt\ndir/\nz -> b.txt');
  expect(await place.text("ls", { path: "dir" })).toBe("x");
  mkdirSync(join(place.cwd, "empty"));
  expect(await place.text("ls", { path: "empty" })).toBe("(the directory is empty)");
  expect(await place.text("ls", { path: "b.txt" })).toBe(
    "Cannot list b.txt: a part of the path is not a directory",
  );
});

test("ls, find and grep are denied outside", async () => {
  using place = await toolPlace();
  fill(place);
  const denied = await Promise.all([
    place.call("ls", { path: ".." }),
    place.call("ls", { path: "link" }),
    place.call("find", { pattern: "*", path: "link" }),
    place.call("grep", { pattern: "needle", path: "link" }),
    place.call("grep", { pattern: "needle", path: "secret-link.txt" }),
    place.call("grep", { pattern: "needle", path: ".env" }),
  ]);
  expect(denied.map((result) => result.denied?.permission)).toEqual(Array(6).fill("read"));
});

test("find honours .gitignore at every level and never leaves the directory", async () => {
  using place = await toolPlace();
  fill(place);
  expect(await place.text("find", { pattern: "**" })).toBe(
    [
      ".env",
      ".gitignore",
      "bin.dat",
      "keep.log",
      "link",
      "secret-link.txt",
      "src/",
      "src/.gitignore",
      "src/a.ts",
      "src/top.txt",
    ].join("\n"),
  );
  expect(await place.text("find", { pattern: "*.ts" })).toBe("src/a.ts");
  expect(await place.text("find", { pattern: "src/*.txt" })).toBe("src/top.txt");
  expect(await place.text("find", { pattern: "*.txt", path: "src" })).toBe("src/top.txt");
  expect(await place.text("find", { pattern: "*.rs" })).toBe("(nothing found)");
});

test("find says so when a pattern does not start at the searched directory", async () => {
  using place = await toolPlace();
  place.write("a.ts", "needle");
  const why = 'matches nothing: patterns start at the searched directory, which is "path"';
  for (const pattern of [`${place.cwd}/*.ts`, "../project/*.ts"])
    expect(await place.text("find", { pattern })).toBe(`Cannot find in .: "${pattern}" ${why}`);
  expect(await place.text("grep", { pattern: "needle", glob: "/*.ts" })).toBe(
    `Cannot search .: "/*.ts" ${why}`,
  );
});

test("find and grep take a name that begins with two dots for one like any other", async () => {
  using place = await toolPlace();
  place.write(".git/HEAD", "");
  place.write(".gitignore", "..out/\n");
  place.write("..a/b.ts", "needle");
  place.write("..out/c.ts", "needle");
  expect(await place.text("find", { pattern: "*.ts" })).toBe("..a/b.ts");
  expect(await place.text("grep", { pattern: "needle" })).toBe("..a/b.ts:1:needle");
});

test("ls, find and grep enter a directory of sources that is called as a file of secrets would be", async () => {
  using place = await toolPlace();
  place.write("src/credentials/load.ts", "needle");
  place.write("src/credentials/credentials", "needle");
  place.write(".ssh/config", "needle");
  expect(await place.text("ls", { path: "src/credentials" })).toBe("credentials\nload.ts");
  expect(await place.text("find", { pattern: "*.ts" })).toBe("src/credentials/load.ts");
  expect(await place.text("grep", { pattern: "needle" })).toBe(
    "src/credentials/load.ts:1:needle\n[1 file could not be read and was left out]",
  );
  expect((await place.call("ls", { path: ".ssh" })).denied?.target).toBe(`${place.cwd}/.ssh/`);
});

test("find and grep look into what is ignored if they are sent there", async () => {
  using place = await toolPlace();
  fill(place);
  place.write("dist/deep/in.ts", "needle\n");
  place.write("dist/deep/.gitignore", "*.map\n");
  place.write("dist/deep/in.map", "needle\n");
  expect(await place.text("find", { pattern: "*", path: "dist" })).toBe(
    "dist/deep/\ndist/deep/.gitignore\ndist/deep/in.ts\ndist/out.ts",
  );
  expect(await place.text("grep", { pattern: "needle", path: "dist/deep" })).toBe("dist/deep/in.ts:1:needle");
});

test("find says that there is more", async () => {
  using place = await toolPlace();
  for (const name of ["a", "b", "c"]) place.write(name, "");
  expect(await place.text("find", { pattern: "*", limit: 2 })).toBe(
    "a\nb\n[there are more than 2; narrow the pattern or raise limit]",
  );
});

test("grep finds lines, and passes over what is ignored, binary, linked or sensitive", async () => {
  using place = await toolPlace();
  fill(place);
  expect(await place.text("grep", { pattern: "needle" })).toBe(
    "keep.log:1:needle\nsrc/top.txt:2:needle here\n[1 file could not be read and was left out]",
  );
  expect(await place.text("grep", { pattern: "needle", ignoreCase: true, glob: "*.ts" })).toBe(
    "src/a.ts:2:NEEDLE",
  );
  expect(await place.text("grep", { pattern: "needle", path: "src/top.txt", context: 1 })).toBe(
    "src/top.txt-1-hay\nsrc/top.txt:2:needle here\nsrc/top.txt-3-hay",
  );
});

test("grep takes a pattern as text if asked, and says what is wrong with it if not", async () => {
  using place = await toolPlace();
  place.write("a", "f(x)\nfx\n");
  expect(await place.text("grep", { pattern: "f(x)", literal: true })).toBe("a:1:f(x)");
  expect(await place.text("grep", { pattern: "f(x)" })).toBe("a:2:fx");
  expect(await place.text("grep", { pattern: "f(" })).toStartWith(
    "Cannot search .: the pattern is no regular expression:",
  );
});

test("grep shows groups of context apart, long lines cut, and its limit", async () => {
  using place = await toolPlace();
  place.write("a", "x\n1\n2\n3\nx\n4\n");
  place.write("b", `x${"y".repeat(600)}\r\n`);
  expect(await place.text("grep", { pattern: "x", context: 1, limit: 2 })).toBe(
    "a:1:x\na-2-1\n--\na-4-3\na:5:x\na-6-4\n[there are more than 2 matching lines; narrow the search or raise limit]",
  );
  expect(await place.text("grep", { pattern: "x", path: "b" })).toBe(
    `b:1:x${"y".repeat(499)}… (601 characters)`,
  );
});

test("grep searches a file of any size if it is named, and says so if it is not", async () => {
  using place = await toolPlace();
  place.write("a", `${`${"hay ".repeat(5_000)}\n`.repeat(1_001)}first\nneedle\nlast\n`);
  place.write("bin", new Uint8Array([0, 1, 2]));
  expect(await place.text("grep", { pattern: "needle" })).toBe(
    "(nothing found)\n[1 file is larger than 20 MB and was left out]",
  );
  expect(await place.text("grep", { pattern: "needle", path: "a", context: 1 })).toBe(
    "a-1002-first\na:1003:needle\na-1004-last",
  );
  expect(await place.text("grep", { pattern: "needle", path: "bin" })).toBe(
    "Cannot search bin: it is a binary file (3 bytes)",
  );
});

test("grep shows each line once where the lines around matches overlap", async () => {
  using place = await toolPlace();
  place.write("a", "1\nx\n3\nx\n5\n6\n7\n8\nx\n");
  expect(await place.text("grep", { pattern: "x", context: 2 })).toBe(
    "a-1-1\na:2:x\na-3-3\na:4:x\na-5-5\na-6-6\na-7-7\na-8-8\na:9:x",
  );
  expect(await place.text("grep", { pattern: "x|6", context: 1 })).toBe(
    "a-1-1\na:2:x\na-3-3\na:4:x\na-5-5\na:6:6\na-7-7\na-8-8\na:9:x",
  );
  expect(await place.text("grep", { pattern: "x", context: 1 })).toBe(
    "a-1-1\na:2:x\na-3-3\na:4:x\na-5-5\n--\na-8-8\na:9:x",
  );
});

test("grep keeps all lines on disk where they are too many to show", async () => {
  using place = await toolPlace();
  place.write("a", "needle\n".repeat(10_000));
  const text = await place.text("grep", { pattern: "needle", limit: 10_000 });
  expect(text).toContain("(10000 lines); all of it: ");
  expect(text).toStartWith("a:1:needle\n");
  expect(text).toEndWith("\na:10000:needle");
});

test("grep ends with the run, also in the middle of a file", async () => {
  using place = await toolPlace();
  place.write("a", `${"hay\n".repeat(200_000)}needle\n`);
  expect(await place.text("grep", { pattern: "needle" })).toBe("a:200001:needle");
  const controller = new AbortController();
  const searching = place.call("grep", { pattern: "needle" }, controller.signal);
  controller.abort();
  expect(textOf((await searching).content)).toBe("(nothing found)");
});

test("grep answers at once to a pattern that would backtrack for ever", async () => {
  using place = await toolPlace();
  place.write("a", `${"a".repeat(40)}!\n`);
  expect(await place.text("grep", { pattern: "(a+)+$" })).toBe("(nothing found)");
});
