// What a command in the sandbox cannot write, nor get out of the way, whatever it is granted.

import { expect } from "bun:test";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { boxed, testSandbox } from "../../testing/sandbox.ts";
import { tempDir } from "../../testing/temp.ts";
import { toolPlace } from "../../testing/tool-place.ts";

testSandbox(
  "the sandbox keeps hooks, git's settings and agent's own read-only inside a write grant",
  async () => {
    using place = await toolPlace({ grants: { run: true } });
    for (const name of [".git/hooks/x", ".git/config", ".agent/config.jsonc", ".git/HEAD"])
      place.write(name, "old");
    using again = await boxed({ write: [place.cwd] });
    const command = `cd ${place.cwd} && for f in .git/hooks/x .git/config .agent/config.jsonc .git/HEAD; do (echo new > $f) 2>/dev/null && echo $f; done`;
    expect(await again.text("bash", { command })).toBe(".git/HEAD");
    expect(readFileSync(join(place.cwd, ".git/config"), "utf8")).toBe("old");
  },
);

testSandbox("the sandbox keeps hooks and git's settings where they are, in a work tree too", async () => {
  const renames =
    "mv .git away; rm -rf .git/hooks; mkdir -p .git/hooks; echo evil > .git/hooks/x; echo evil > .git";
  for (const files of [[".git/hooks/x", ".git/config"], [".git/config"], [".git"]]) {
    for (const write of [true, [".."], ["/"]]) {
      using dir = tempDir();
      for (const name of files) dir.write(`project/${name}`, "old");
      using place = await toolPlace({ root: dir.path, grants: { run: true, write }, sandbox: true });
      await place.call("bash", { command: `(${renames}) 2>/dev/null; touch written` });
      const kept = files.map((name) => readFileSync(join(place.cwd, name), "utf8"));
      const made = readdirSync(place.cwd).sort();
      const hooks = existsSync(join(place.cwd, ".git/hooks"))
        ? readdirSync(join(place.cwd, ".git/hooks"))
        : [];
      expect({ files, write, kept, made, hooks }).toEqual({
        files,
        write,
        kept: files.map(() => "old"),
        made: [".git", "written"],
        hooks: files.length === 2 ? ["x"] : [],
      });
    }
  }
});

testSandbox("the sandbox keeps the working directory where it is inside a wider grant", async () => {
  using dir = tempDir();
  dir.write("home/work/project/.git/config", "old");
  using place = await toolPlace({
    root: join(dir.path, "home/work"),
    grants: { run: true, write: [dir.path] },
    sandbox: true,
  });
  const fake = "cd ../../.. && mv home/work home/away; mkdir -p home/work/project/.git/hooks";
  await place.call("bash", { command: fake });
  expect(readFileSync(join(place.cwd, ".git/config"), "utf8")).toBe("old");
});

testSandbox("the sandbox lets what is named be written", async () => {
  using dir = tempDir();
  for (const name of [".agent/rules/a.md", ".git/hooks/x", ".git/config"])
    dir.write(`project/${name}`, "old");
  using place = await toolPlace({
    root: dir.path,
    grants: { run: true, write: [".", ".agent/rules", ".git/hooks"] },
    sandbox: true,
  });
  const command =
    "for f in .agent/rules/a.md .agent/x .git/hooks/x .git/config; do (echo new > $f) 2>/dev/null && echo $f; done";
  expect(await place.text("bash", { command: `${command}; true` })).toBe(".agent/rules/a.md\n.git/hooks/x");
});

testSandbox("the sandbox lets nothing be made where settings and hooks would be looked for", async () => {
  using dir = tempDir();
  dir.write("home/work/.git/HEAD", "");
  dir.write("home/work/project/file", "");
  const home = join(dir.path, "home");
  for (const write of [[home], [home, "/"]]) {
    using place = await toolPlace({ root: join(home, "work"), grants: { run: true, write }, sandbox: true });
    const own = join(home, "work/home/.config/agent");
    const paths = [".agent/config.jsonc", "../.agent/config.jsonc", "../.git/hooks/pre-commit", `${own}/x`];
    const command = `for f in ${paths.join(" ")}; do (mkdir -p $(dirname $f); echo evil > $f) 2>/dev/null; done; echo x > made`;
    expect(await place.text("bash", { command })).toBe("(no output)");
    expect(readdirSync(place.cwd).sort()).toEqual(["file", "made"]);
    expect(readdirSync(join(home, "work/.git")).sort()).toEqual(["HEAD"]);
    expect([existsSync(own), existsSync(join(home, "work/.agent"))]).toEqual([false, false]);
  }
});

testSandbox("the sandbox grants nothing by a link that a command put where a grant was missing", async () => {
  using place = await boxed({ write: ["out", "out/gen", "out/deep/gen"] });
  for (const name of ["out/deep/gen/x", "closed/x", "closed/gen/x"]) place.write(name, "old");
  const swap = "ln -s ../closed out/gen && mv out/deep out/away && ln -s ../closed out/deep";
  expect((await place.call("bash", { command: swap })).isError).toBe(false);
  const write = "for f in out/gen/x out/deep/gen/x closed/x; do (echo new > $f) 2>/dev/null && echo $f; done";
  expect(await place.text("bash", { command: `${write}; echo end` })).toBe("end");
  expect(readFileSync(join(place.cwd, "closed/gen/x"), "utf8")).toBe("old");
});

testSandbox("the sandbox keeps what is denied deep inside a grant where it is", async () => {
  const deny = { read: ["a/b/secret"], write: ["a/c/locked"], run: undefined };
  for (const write of [["."], [".", "a"], [".", "a/b"], [".."], ["/"]]) {
    using place = await boxed({ write, deny });
    place.write("a/b/secret", "SECRET");
    place.write("a/c/locked/x", "old");
    const renames = "for d in a/b/secret a/b a/c/locked a/c a .; do mv $d away; done";
    await place.call("bash", { command: `(${renames}) 2>/dev/null` });
    const command = "grep -rs SECRET . && echo found; (echo new > a/c/locked/x) 2>/dev/null || echo kept";
    expect(await place.text("bash", { command })).toBe("kept");
    expect(readFileSync(join(place.cwd, "a/c/locked/x"), "utf8")).toBe("old");
    expect(readFileSync(join(place.cwd, "a/b/secret"), "utf8")).toBe("SECRET");
  }
});

testSandbox("the sandbox hides and protects what links lead to", async () => {
  using dir = tempDir();
  for (const name of ["dot/ssh/id_rsa", "dot/npmrc", "home/x", "project/x"]) dir.write(name, "SECRET");
  for (const name of ["hooks/x", "agent/x", "git/x"]) dir.write(`project/shared/${name}`, "old");
  dir.write("project/.git/HEAD", "");
  const link = (to: string, from: string) => symlinkSync(join(dir.path, to), join(dir.path, from));
  link("dot/ssh", "home/.ssh");
  link("dot/npmrc", "home/.npmrc");
  link("project/shared/hooks", "project/.git/hooks");
  link("project/shared/agent", "project/.agent");
  using place = await toolPlace({
    root: dir.path,
    grants: { run: true, write: [dir.path] },
    sandbox: true,
  });
  const read = `cat ~/.ssh/id_rsa ~/.npmrc ${dir.path}/dot/ssh/id_rsa ${dir.path}/dot/npmrc`;
  expect(await place.text("bash", { command: `(${read}) 2>&1 | grep -c SECRET` })).toStartWith("0\n");
  const write =
    "for f in shared/hooks/x .agent/x shared/git/x; do (echo new > $f) 2>/dev/null && echo $f; done";
  expect(await place.text("bash", { command: write })).toBe("shared/git/x");
});

testSandbox("the sandbox keeps denied paths read-only inside a write grant", async () => {
  using place = await toolPlace({
    grants: { run: true, write: true, deny: { read: undefined, write: ["locked"], run: undefined } },
    sandbox: true,
  });
  place.write("locked/a", "old");
  expect(await place.text("bash", { command: "touch free; echo new > locked/a" })).toContain(
    "Read-only file system",
  );
  expect(readFileSync(join(place.cwd, "locked/a"), "utf8")).toBe("old");
  expect(existsSync(join(place.cwd, "free"))).toBe(true);
});

testSandbox("the sandbox lets programs read what the run keeps, and not write it", async () => {
  using place = await toolPlace({
    grants: { run: true, write: true },
    runFiles: ["s.jsonl", "missing.json"],
    sandbox: true,
  });
  const file = place.write("s.jsonl", "kept");
  const command =
    "cat s.jsonl; echo x > s.jsonl; rm -f s.jsonl; mv other s.jsonl; echo y > other && cat other";
  expect(await place.text("bash", { command })).toMatch(/^kept.*y$/s);
  expect(readFileSync(file, "utf8")).toBe("kept");
});
