// What the model is asked: arguments, stdin, files, templates, and what a project adds to the system prompt.

import { expect, test } from "bun:test";
import { openSync } from "node:fs";
import { textAnswer } from "../testing/fake-answers.ts";
import { type RunOptions, type RunPlace, runPlace } from "../testing/run-command.ts";
import { AGENT_BINARY } from "../testing/spawn.ts";
import { until } from "../testing/until.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

interface SentMessage {
  readonly role: string;
  readonly content: string;
  readonly images?: readonly string[];
}

async function sent(
  place: RunPlace,
  args: readonly string[],
  options?: RunOptions,
): Promise<readonly SentMessage[]> {
  const result = await place.run(args, options);
  if (result.code !== 0) throw new Error(`exit ${result.code}: ${result.stderr}`);
  return place.server.chats().at(-1)?.body["messages"] as readonly SentMessage[];
}

const userText = (messages: readonly SentMessage[]) =>
  messages.findLast(({ role }) => role === "user")?.content;

test("run joins arguments and puts stdin after them, a blank line between", async () => {
  await using place = await runPlace(Array.from({ length: 6 }, () => textAnswer("ok")));
  expect(userText(await sent(place, ["fix", "it"]))).toBe("fix it");
  expect(userText(await sent(place, ["fix it"], { stdin: "a diff\n" }))).toBe("fix it\n\na diff");
  expect(userText(await sent(place, [], { stdin: "only stdin\n" }))).toBe("only stdin");
  expect(userText(await sent(place, ["-"], { stdin: "only stdin\n" }))).toBe("only stdin");
  expect(userText(await sent(place, ["--no-stdin", "x"], { stdin: "not read" }))).toBe("x");
  expect(userText(await sent(place, ["--", "--not-a-flag"]))).toBe("--not-a-flag");
});

test("run takes a prompt of any size from stdin", async () => {
  await using place = await runPlace([textAnswer("ok")]);
  const long = "wörd ".repeat(20_000);
  expect(userText(await sent(place, ["--num-ctx", "200000"], { stdin: long }))?.length).toBe(long.length);
});

test("run takes only the newlines at the end off a prompt from stdin, however many stand in its middle", async () => {
  await using place = await runPlace([textAnswer("ok")]);
  const middle = `a${"\n".repeat(200_000)}b`;
  const text = userText(await sent(place, ["--num-ctx", "200000"], { stdin: `${middle}\n\n\n` }));
  expect(text === middle).toBe(true);
});

test("run leaves the list of a loop alone: a regular file is not read beside a prompt", async () => {
  await using place = await runPlace([textAnswer("ok")]);
  const list = place.dir.write("list", "a\nb\n");
  const child = Bun.spawn([AGENT_BINARY, "run", "--host", place.server.url, "--model", "fake", "fix it"], {
    cwd: place.dir.path,
    stdin: openSync(list, "r"),
    env: { HOME: place.dir.path, AGENT_HOME: `${place.dir.path}/h` },
  });
  expect(await child.exited).toBe(0);
  expect(userText(place.server.chats()[0]?.body["messages"] as readonly SentMessage[])).toBe("fix it");
});

test("run says what it waits for when nothing comes on an open pipe", async () => {
  await using place = await runPlace([textAnswer("ok")]);
  const running = place.start(["fix it"], { stdin: { open: "" } });
  await until(() => running.stderr().includes("waiting for the prompt on stdin"));
  await running.endStdin();
  expect((await running.result).stdout).toBe("ok\n");
});

test("run refuses an empty prompt", async () => {
  await using place = await runPlace();
  for (const stdin of ["", " \n"]) expect((await place.run([], { stdin })).code).toBe(2);
  expect((await place.run([])).stderr).toContain("no prompt given");
});

test("run attaches text files by name and images as images", async () => {
  await using place = await runPlace([textAnswer("ok")]);
  place.dir.write("a.txt", "text of a\n");
  place.dir.write("b.png", PNG);
  const user = (await sent(place, ["look", "@a.txt", "@b.png", "@someone said so"])).at(-1);
  expect(user).toMatchObject({
    content: 'look @someone said so\n\n<file path="a.txt">\ntext of a\n</file>',
    images: [PNG.toString("base64")],
  });
});

test("run refuses a file that is not there, a directory, binary data and what is too large", async () => {
  await using place = await runPlace();
  place.dir.write("bin", new Uint8Array([1, 0, 255]));
  place.dir.write("big.txt", "x".repeat(1024 * 1024 + 1));
  expect((await place.run(["@nope.txt"])).code).toBe(66);
  for (const name of [".", "bin", "big.txt"]) expect((await place.run([`@${name}`])).code).toBe(65);
});

test("run refuses an image for a model that takes none, before anything is sent", async () => {
  await using place = await runPlace([], {
    models: [{ name: "fake", capabilities: ["completion", "tools"] }],
  });
  place.dir.write("b.png", PNG);
  const result = await place.run(["look", "@b.png"]);
  expect(result.code).toBe(78);
  expect(result.stderr).toContain("takes no images");
  expect(place.server.chats()).toEqual([]);
});

test("run expands a template of the project, and sends an unknown one as it is", async () => {
  await using place = await runPlace(Array.from({ length: 4 }, () => textAnswer("ok")));
  place.dir.write(".agent/prompts/review.md", "---\ndescription: x\n---\nReview $1 for $2. All: $@.\n");
  expect(userText(await sent(place, ['/review src "two words"']))).toBe(
    'Review src for two words. All: src "two words".',
  );
  expect(userText(await sent(place, ["/review src it"], { stdin: "the diff" }))).toBe(
    "Review src for it. All: src it.\n\nthe diff",
  );
  expect(userText(await sent(place, ["/nothing here"]))).toBe("/nothing here");
  expect(userText(await sent(place, ["/etc/passwd is a path"]))).toBe("/etc/passwd is a path");
});

test("run puts context files, rules and appended text into the system prompt", async () => {
  await using place = await runPlace([textAnswer("ok"), textAnswer("ok")]);
  place.dir.write(".git/HEAD", "");
  place.dir.write("AGENTS.md", "Root says.\n");
  place.dir.write("sub/CLAUDE.md", "Sub says.\n");
  place.dir.write(".agent/rules/style.md", "---\nalwaysApply: true\n---\nTabs.\n");
  place.dir.write(".agent/rules/sql.md", "---\ndescription: when writing SQL\n---\nNo joins.\n");
  const [system] = await sent(place, ["--cwd", "sub", "--append-system", "At the end.", "hi"]);
  const text = system?.content ?? "";
  const parts = [
    "You are a coding agent",
    '<context-file path="AGENTS.md">\nRoot says.\n</context-file>',
    '<context-file path="sub/CLAUDE.md">\nSub says.\n</context-file>',
    '<rule name="style" path=".agent/rules/style.md">\nTabs.\n</rule>',
    "- rule://sql: when writing SQL",
    "At the end.",
  ];
  const places = parts.map((part) => text.indexOf(part));
  expect(places.every((at) => at >= 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const [own] = await sent(place, [
    "--cwd",
    "sub",
    "--system",
    "Own text.",
    "--no-context-files",
    "--no-rules",
    "hi",
  ]);
  expect(own?.content).toBe("Own text.");
});
