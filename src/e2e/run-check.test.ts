// What a run leaves behind, however it ended, has nothing that `session check` finds fault with.

import { expect, test } from "bun:test";
import { chunk, textAnswer } from "../testing/fake-answers.ts";
import { type RunPlace, runPlace, sessionLines } from "../testing/run-command.ts";
import { runAgent } from "../testing/spawn.ts";
import { until } from "../testing/until.ts";

const CALL = chunk({ tool_calls: [{ function: { name: "ls", arguments: {} } }] });
const SESSION = "s.jsonl";

/** The roles of the messages in the file, after a check that found nothing. */
async function checkedRoles(place: RunPlace): Promise<readonly unknown[]> {
  const at = { cwd: place.dir.path, home: place.dir.path };
  const check = await runAgent(["session", "check", SESSION, "--output", "json"], at);
  expect(JSON.parse(check.stdout)).toMatchObject({ ok: true, problems: [] });
  return sessionLines(`${place.dir.path}/${SESSION}`).flatMap(({ message }) =>
    message === undefined ? [] : [(message as { readonly role: string }).role],
  );
}

test("run leaves a sound session when a rule fires after a whole call, and what it wrote is kept", async () => {
  await using place = await runPlace([
    { lines: [CALL, chunk({ content: "let x: any" })], ending: "open" },
    textAnswer("let x: unknown"),
  ]);
  place.dir.write(
    ".agent/rules/no-any.md",
    "---\ncondition: ': any'\ncontextMode: keep\n---\n\nUse unknown.\n",
  );
  expect((await place.run(["--into", SESSION, "declare x"])).code).toBe(0);
  expect(await checkedRoles(place)).toEqual(["user", "assistant", "toolResult", "assistant"]);
  const sent = place.server.chats()[1]?.body["messages"];
  expect(sent).toMatchObject([{}, {}, { tool_calls: [{}] }, { role: "tool" }, { role: "user" }]);
});

test("run leaves a sound session when the last attempt breaks off after a whole call", async () => {
  await using place = await runPlace([{ lines: [CALL, chunk({ content: "so" })] }]);
  expect((await place.run(["--retries", "0", "--into", SESSION, "hi"])).code).toBe(69);
  expect(await checkedRoles(place)).toEqual(["user", "assistant", "toolResult"]);
});

test("run leaves a sound session when a signal ends it after a whole call", async () => {
  await using place = await runPlace([{ lines: [CALL, chunk({ content: "so" })], ending: "open" }]);
  const running = place.start(["--into", SESSION, "--output", "jsonl", "hi"]);
  await until(() => running.stdout().includes('"so"'));
  running.child.kill("SIGTERM");
  expect((await running.result).code).toBe(143);
  expect(await checkedRoles(place)).toEqual(["user", "assistant", "toolResult"]);
});
