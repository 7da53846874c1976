// Permissions through the binary: what is offered, what a denial does, and exit 77.

import { expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parseRecords } from "../testing/event-schema.ts";
import { textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { type RunPlace, runPlace } from "../testing/run-command.ts";
import { tempDir } from "../testing/temp.ts";

function offered(place: RunPlace): readonly string[] {
  const [request] = place.server.chats();
  const tools = (request?.body as { tools?: { function: { name: string } }[] } | undefined)?.tools ?? [];
  return tools.map((tool) => tool.function.name);
}

const OFFERS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [[], ["read", "ls", "find", "grep"]],
  [["--allow-write"], ["read", "ls", "find", "grep", "write", "edit"]],
  [["--allow-run=git"], ["read", "ls", "find", "grep", "bash"]],
  [["-A"], ["read", "ls", "find", "grep", "write", "edit", "bash"]],
  [
    ["-A", "--tools", "read,bash"],
    ["read", "bash"],
  ],
];

for (const [flags, names] of OFFERS) {
  test(`run ${flags.join(" ")} offers ${names.join(", ")}`, async () => {
    await using place = await runPlace([textAnswer("ok")]);
    expect((await place.run([...flags, "hi"])).code).toBe(0);
    expect(offered(place)).toEqual(names);
  });
}

test("a list after a space grants nothing and is sent to nobody, after -- it is the prompt", async () => {
  await using place = await runPlace([textAnswer("ok")]);
  const { code, stderr } = await place.run(["--allow-run", "git,npm", "fix the test"]);
  expect([code, stderr, place.server.chats().length]).toEqual([
    2,
    'agent: --allow-run takes its value after "=", but "git,npm" follows a space\n' +
      "agent: If that is the value: --allow-run=git,npm. If it is the prompt: put it before the flag, or after --.\n",
    0,
  ]);
  expect((await place.run(["--allow-run", "--", "git,npm"])).code).toBe(0);
});

test("a name in a permission flag that means nothing here is told, and is no error", async () => {
  await using place = await runPlace([textAnswer("ok")]);
  const { code, stderr } = await place.run(["--allow-run=gti", "--allow-write=scr", "hi"]);
  expect([code, stderr]).toEqual([
    0,
    "agent: --allow-write=scr: no such path\nagent: --allow-run=gti: no such program on PATH\n",
  ]);
});

test("--tools with a name that no tool has is a usage error, also where the server is away", async () => {
  await using place = await runPlace();
  const { code, stderr } = await place.run(["--retries", "0", "--tools", "read,nosuch", "hi"], {
    host: "127.0.0.1:9",
  });
  expect([code, stderr]).toEqual([
    2,
    'agent: unknown tool "nosuch"\nagent: There are: read, ls, find, grep, write, edit, bash.\n',
  ]);
});

test("--tools with a tool that nothing grants says so, and which flag would", async () => {
  await using place = await runPlace([textAnswer("ok")]);
  const { code, stderr } = await place.run(["--tools", "read,write", "hi"]);
  expect([code, stderr]).toEqual([0, "agent: write is not offered: it was not granted (--allow-write)\n"]);
});

test("a denial is a result for the model, an event for the caller, and the run goes on", async () => {
  using outside = tempDir();
  outside.write("secret", "SECRET");
  await using place = await runPlace([
    toolAnswer(
      { name: "read", arguments: { path: "link" } },
      { name: "write", arguments: { path: "a", content: "x" } },
    ),
    textAnswer("ok"),
  ]);
  symlinkSync(join(outside.path, "secret"), join(place.dir.path, "link"));
  const result = await place.run(["--output", "jsonl", "hi"]);
  expect(result.code).toBe(0);
  const records = parseRecords(result.stdout);
  const denials = records.filter((record) => record["type"] === "permission_denied");
  expect(denials).toMatchObject([
    { tool: "read", permission: "read", target: join(outside.path, "secret") },
    {
      tool: "write",
      permission: "write",
      target: "a",
      reason: "it was not granted",
      hint: "--allow-write",
    },
  ]);
  expect(JSON.stringify(place.server.chats()[1]?.body)).toContain("Permission denied: read");
  expect(result.stdout).not.toContain("SECRET");
});

test("--fail-on-denied ends the run with 77 at the first denial, in every output", async () => {
  for (const output of ["text", "json", "jsonl"]) {
    await using place = await runPlace([
      toolAnswer({ name: "read", arguments: { path: "/etc/passwd" } }),
      textAnswer("never"),
    ]);
    const result = await place.run(["--fail-on-denied", "--output", output, "hi"]);
    expect({ output, code: result.code, requests: place.server.chats().length }).toEqual({
      output,
      code: 77,
      requests: 1,
    });
  }
});

test("--allow-run with a list runs what is listed and refuses the rest with the reason", async () => {
  await using place = await runPlace([
    toolAnswer({ name: "bash", arguments: { command: "echo fine > out.txt && cat out.txt" } }),
    toolAnswer({ name: "bash", arguments: { command: "cat $(touch owned)" } }),
    toolAnswer({ name: "bash", arguments: { command: "cat out.txt; touch owned" } }),
    textAnswer("ok"),
  ]);
  const result = await place.run(["--allow-run=echo,cat", "--allow-write", "hi"]);
  expect(result.code).toBe(0);
  const results = place.session().flatMap((line) => {
    const message = line["message"] as { role?: string; content: { text: string }[] } | undefined;
    return message?.role === "toolResult" ? [message.content[0]?.text ?? ""] : [];
  });
  expect(results).toEqual([
    "fine",
    "Permission denied: run cat $(touch owned): `$` is expanded by the shell; put it in single quotes if it is meant literally",
    "Permission denied: run touch: it is not one of the allowed programs (echo, cat)",
  ]);
  expect(existsSync(join(place.dir.path, "owned"))).toBe(false);
  expect(readFileSync(join(place.dir.path, "out.txt"), "utf8")).toBe("fine\n");
});

test("--sandbox without bubblewrap is an error before anything is asked", async () => {
  await using place = await runPlace([textAnswer("never")]);
  const result = await place.run(["--sandbox", "--allow-run", "hi"], { env: { PATH: "/nowhere" } });
  expect(result.code).toBe(1);
  expect(result.stderr).toContain("--sandbox cannot be used here: bubblewrap (bwrap) is not installed");
  expect(place.server.chats().length).toBe(0);
});

const boxed = Bun.spawnSync(["sh", "-c", "bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev true"]);
const whyNot = boxed.exitCode === 0 ? undefined : boxed.stderr.toString().trim();
if (whyNot !== undefined) console.error(`skipped: bubblewrap cannot run here: ${whyNot}`);

test.skipIf(whyNot !== undefined)(
  "--sandbox runs commands where only the grants can be written",
  async () => {
    const command = "touch out/a && echo written; touch b || true; ls /proc | grep -c '^[0-9]'";
    await using place = await runPlace([
      toolAnswer({ name: "bash", arguments: { command } }),
      textAnswer("ok"),
    ]);
    place.dir.write("out/keep", "");
    const result = await place.run(["--sandbox", "--allow-run", "--allow-write=out", "hi"]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "ok\n" });
    const answer = JSON.stringify(place.server.chats()[1]?.body);
    expect(answer).toMatch(/written\\ntouch: [^"]*Read-only file system\\n\d\\?"/);
    expect([existsSync(join(place.dir.path, "out/a")), existsSync(join(place.dir.path, "b"))]).toEqual([
      true,
      false,
    ]);
  },
);

test("a custom tool of the user's settings is offered and called", async () => {
  await using place = await runPlace([
    toolAnswer({ name: "shout", arguments: { text: "hi" } }),
    textAnswer("ok"),
  ]);
  place.dir.write(
    "c.jsonc",
    `{ "tools": [{ "name": "shout", "description": "Shouts.", "command": ["tr", "a-z", "A-Z"],
       "parameters": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] } }] }`,
  );
  expect((await place.run(["--config", "c.jsonc", "hi"])).code).toBe(0);
  expect(offered(place)).toEqual(["read", "ls", "find", "grep", "shout"]);
  expect(JSON.stringify(place.session())).toContain('{\\"TEXT\\":\\"HI\\"}');
});

test("a hook that fails is a warning and not the end of the run", async () => {
  await using place = await runPlace([textAnswer("ok")]);
  place.dir.write(
    "c.jsonc",
    '{ "hooks": { "turn_end": [{ "command": ["sh", "-c", "echo broken >&2; exit 3"] }] } }',
  );
  const result = await place.run(["--config", "c.jsonc", "hi"]);
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "ok\n" });
  expect(result.stderr).toContain("warning: hook turn_end (sh): The program exited with code 3: broken");
});
