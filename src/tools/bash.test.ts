import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../model/messages.ts";
import { tempDir } from "../testing/temp.ts";
import { type ToolPlace, toolPlace } from "../testing/tool-place.ts";

const ANY = { grants: { run: true } } as const;

async function run(place: ToolPlace, command: string, timeout?: number) {
  const result = await place.call("bash", timeout === undefined ? { command } : { command, timeout });
  const { durationMs, ...details } = result.details ?? {};
  return { text: textOf(result.content), isError: result.isError, details, durationMs };
}

test("bash gives both streams in the order of writing, and the exit status", async () => {
  using place = await toolPlace(ANY);
  const { durationMs, ...result } = await run(place, "echo one; echo two >&2; echo three; exit 3");
  expect(result).toEqual({
    text: "one\ntwo\nthree\nCommand exited with code 3",
    isError: true,
    details: { exitCode: 3, timedOut: false, aborted: false, truncated: false, outputBytes: 14 },
  });
  expect(typeof durationMs).toBe("number");
});

test("bash says when there is no output, and which signal ended a command", async () => {
  using place = await toolPlace(ANY);
  expect((await run(place, "true")).text).toBe("(no output)");
  expect((await run(place, "kill -9 $$")).text).toBe("Command exited with code 137 (SIGKILL)");
});

test("bash runs in the working directory with a clean environment and no terminal", async () => {
  using place = await toolPlace({
    ...ANY,
    env: { SECRET: "x", BASH_ENV: "/evil", PATH: `.::relative:${process.env["PATH"]}` },
  });
  const { text } = await run(
    place,
    "pwd; env | cut -d= -f1 | sort | tr '\\n' ' '; echo; echo \"$TERM\"; tty; cat; case $PATH in .*|relative*) echo bad;; esac",
  );
  expect(text.split("\n")).toEqual([
    place.cwd,
    "AGENT_PROCESS HOME LANG PATH PWD SHLVL TERM _ ",
    "dumb",
    "not a tty",
  ]);
});

test("bash sees the variables that are granted", async () => {
  using place = await toolPlace({
    grants: { run: true, env: ["CI", "MISSING"] },
    env: { CI: "yes", SECRET: "x" },
  });
  expect((await run(place, 'echo "$CI-$SECRET-$MISSING"')).text).toBe("yes--");
});

test("bash streams output as it comes", async () => {
  using place = await toolPlace(ANY);
  const tool = place.tools.offered.find((candidate) => candidate.spec.name === "bash");
  const seen: string[] = [];
  const gate = join(place.cwd, "gate");
  const update = (delta: string) => {
    seen.push(delta);
    writeFileSync(gate, "");
  };
  const command = "echo first; until [ -e gate ]; do sleep 0.02; done; echo second";
  await tool?.run({ toolCallId: "1", arguments: { command }, update }, new AbortController().signal);
  expect(seen).toEqual(["first\n", "second\n"]);
});

test("bash keeps characters whole that the pipe cuts", async () => {
  using place = await toolPlace(ANY);
  expect((await run(place, "printf '\\346\\227'; sleep 0.1; printf '\\245'")).text).toBe("日");
});

test("bash gives commands streams that can be opened again by name", async () => {
  using place = await toolPlace(ANY);
  const command = "echo a > /dev/stdout; echo b > /dev/stderr; echo c | tee /dev/stderr; echo d >&2";
  expect((await run(place, command)).text).toBe("a\nb\nc\nc\nd");
});

test("bash bounds its output and tells where all of it is, which read may open", async () => {
  using place = await toolPlace(ANY);
  const { text, details } = await run(place, "seq 1 100000");
  const path = String(details["fullOutputPath"]);
  expect(details).toEqual({
    exitCode: 0,
    timedOut: false,
    aborted: false,
    truncated: true,
    outputBytes: 588_895,
    fullOutputPath: path,
  });
  expect(text).toStartWith("1\n2\n");
  expect(text).toEndWith("\n100000");
  expect(text.length).toBeLessThan(50_300);
  expect(readFileSync(path, "utf8").length).toBe(588_895);
  expect(await place.text("read", { path, offset: 50_000, limit: 1 })).toStartWith("50000\n");
});

test("bash returns although a background process keeps the output open, and names it", async () => {
  using place = await toolPlace(ANY);
  const { text, details } = await run(place, "sleep 300 & echo started");
  expect(text).toMatch(/^started\nStill running in the background: \d+$/);
  const [pid] = details["background"] as readonly number[];
  process.kill(pid ?? 0, "SIGKILL");
});

test("bash returns although a background process never stops talking", async () => {
  using place = await toolPlace(ANY);
  const command = "for i in $(seq 1000); do echo tick; sleep 0.02; done &";
  const { text, details } = await run(place, command);
  expect(text).toMatch(/^(tick\n)*Still running in the background: [\d, ]+$/);
  const pids = details["background"] as readonly number[];
  Bun.spawnSync(["kill", "-KILL", ...pids.map(String)]);
});

test("bash limits: only named programs, and the reason otherwise", async () => {
  using place = await toolPlace({ grants: { run: ["echo", "cat"], write: true } });
  expect((await run(place, "echo 'a  b' | cat > out.txt; cat < out.txt")).text).toBe("a  b");
  const denied = await place.call("bash", { command: "echo a; rm out.txt" });
  expect(denied.denied).toMatchObject({ permission: "run", target: "rm" });
  expect(existsSync(join(place.cwd, "out.txt"))).toBe(true);
});

test("bash limits: redirections go only where writing and reading is granted", async () => {
  using place = await toolPlace({ grants: { run: ["echo", "cat"], write: ["out"] } });
  writeFileSync(join(place.outside, "secret"), "SECRET");
  const targets = await Promise.all(
    [
      "echo x > other",
      "echo x >> ../outside/x",
      "cat < ../outside/secret",
      "echo x > out/.env",
      "cat < .env",
    ].map(async (command) => (await place.call("bash", { command })).denied?.permission),
  );
  expect(targets).toEqual(["write", "write", "read", "write", "read"]);
  expect((await run(place, "echo x > out/a; echo y >> out/a; cat out/a")).text).toBe("x\ny");
  expect((await run(place, "echo gone > /dev/null 2>&1")).text).toBe("(no output)");
  expect((await run(place, "cat < out/a && cat < out/none")).text).toBe(
    "Cannot run the command: out/none: no such file or directory",
  );
});

test("bash limits: a program that the run may write is not the one that was named", async () => {
  using bin = tempDir();
  chmodSync(bin.write("tool", "#!/bin/sh\necho ran\n"), 0o755);
  const env = { PATH: `${bin.path}:${process.env["PATH"]}` };
  using writable = await toolPlace({ grants: { run: ["tool"], write: [bin.path] }, env });
  expect((await writable.call("bash", { command: "tool x" })).denied).toMatchObject({
    permission: "run",
    target: "tool",
  });
  using named = await toolPlace({ grants: { run: [`${bin.path}/tool`], write: [bin.path] }, env });
  expect((await run(named, `${bin.path}/tool`)).text).toBe("ran");
  using plain = await toolPlace({ grants: { run: ["tool"] }, env });
  expect((await run(plain, "tool")).text).toBe("ran");
});

test("bash limits: a program that the working directory brings along is not the one that was named", async () => {
  using dir = tempDir();
  const hostile = join(dir.path, "project/node_modules/.bin");
  for (const name of ["git", "bash", "sh", "gzip"])
    chmodSync(dir.write(`project/node_modules/.bin/${name}`, "#!/bin/sh\ntouch owned\n"), 0o755);
  using place = await toolPlace({
    root: dir.path,
    grants: { run: ["git", "echo", "tar"] },
    env: { PATH: `${hostile}:${process.env["PATH"]}` },
  });
  expect((await place.call("bash", { command: "git status" })).denied).toMatchObject({
    permission: "run",
    target: "git",
  });
  expect((await run(place, "echo fine && tar -czf a.tgz node_modules && tar -tzf a.tgz")).text).toContain(
    "fine",
  );
  expect(existsSync(join(place.cwd, "owned"))).toBe(false);
});

test("bash limits: a denied program stays denied by another name or case", async () => {
  using place = await toolPlace({
    grants: { run: true, deny: { read: undefined, write: undefined, run: ["git", "/usr/bin/sort"] } },
  });
  symlinkSync("/usr/bin/git", join(place.cwd, "other"));
  const denied = await Promise.all(
    ["./other status", "GIT status", "sort x", "git x"].map(
      async (command) => (await place.call("bash", { command })).denied?.permission,
    ),
  );
  expect(denied).toEqual(["run", "run", "run", "run"]);
  expect((await run(place, "ls")).text).toBe("other");
});

test("bash limits: a program that is denied by a path is denied by every path to it", async () => {
  using place = await toolPlace({
    grants: { run: true, deny: { read: undefined, write: undefined, run: ["./link"] } },
  });
  symlinkSync("/usr/bin/sort", join(place.cwd, "link"));
  expect((await place.call("bash", { command: "sort x" })).denied?.permission).toBe("run");
});

test("bash limits: a grant to write everywhere leaves the programs of the system usable", async () => {
  using place = await toolPlace({
    all: true,
    grants: { deny: { read: undefined, write: undefined, run: ["rm"] } },
  });
  expect((await run(place, "echo fine")).text).toBe("fine");
  expect((await place.call("bash", { command: "rm x" })).denied?.permission).toBe("run");
});

test("bash is not offered without a grant", async () => {
  using place = await toolPlace();
  expect(place.tools.offered.map((tool) => tool.spec.name)).toEqual(["read", "ls", "find", "grep"]);
  const reason = "it was not granted";
  expect(place.tools.withheld).toEqual([
    {
      name: "write",
      permission: "write",
      reason,
      hint: "--allow-write",
      watched: { path: "path", text: ["content"] },
    },
    {
      name: "edit",
      permission: "write",
      reason,
      hint: "--allow-write",
      watched: { path: "path", text: ["newText"] },
    },
    { name: "bash", permission: "run", reason, hint: "--allow-run" },
  ]);
});

test("a tool whose every use is denied is not offered", async () => {
  const deny = { read: true, write: true, run: true } as const;
  using place = await toolPlace({ grants: { write: true, run: true, deny } });
  expect(place.tools.offered).toEqual([]);
  expect(place.tools.withheld.at(-1)).toEqual({
    name: "bash",
    permission: "run",
    reason: "--deny-run covers all of it",
  });
  using partly = await toolPlace({ all: true, grants: { deny: { ...deny, read: ["src"], run: ["rm"] } } });
  expect(partly.tools.offered.map((tool) => tool.spec.name)).toEqual(["read", "ls", "find", "grep", "bash"]);
});
