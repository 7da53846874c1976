// A model may load for minutes before the first byte. Bun's own client gives up after 360 s of silence; its limit is
// shortened here, so that the binary is seen to outlast it.

import { expect, test } from "bun:test";
import { textAnswer } from "../testing/fake-answers.ts";
import { fakeOllama } from "../testing/fake-ollama.ts";
import { runPlace } from "../testing/run-command.ts";

/** Bun looks at idle connections every 4 s, so that a limit of 1 s ends them within 8. */
const LIMIT = { BUN_CONFIG_HTTP_IDLE_TIMEOUT: "1" };
const SILENCE_MS = 9_000;

test("agent run waits for a first byte that comes after the runtime's own limit", async () => {
  const late = { ...textAnswer("late"), headDelayMs: SILENCE_MS };
  await using place = await runPlace([late]);
  await using control = await fakeOllama({ answers: [late] });
  const plain = Bun.spawn(
    [
      process.execPath,
      "-e",
      `await (await fetch("${control.url}/api/chat", { method: "POST", body: '{"model":"fake"}' })).text()`,
    ],
    { env: { ...process.env, ...LIMIT }, stdout: "ignore", stderr: "ignore" },
  );
  const { code, stdout } = await place.run(["--retries", "0", "hi"], { env: LIMIT });
  expect({ code, stdout, plainFetch: await plain.exited }).toEqual({
    code: 0,
    stdout: "late\n",
    plainFetch: 1,
  });
}, 30_000);

test("agent run ends a silent request at --max-time", async () => {
  await using place = await runPlace([{ ...textAnswer("late"), headDelayMs: 60_000 }]);
  const { code, stdout } = await place.run(["--max-time", "500ms", "hi"]);
  expect([code, stdout]).toEqual([6, ""]);
  await (await place.server.chat(0)).clientGone;
});
