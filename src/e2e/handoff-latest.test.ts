// Handing off `latest` when the latest session is one that a handoff began.

import { expect, test } from "bun:test";
import { textAnswer } from "../testing/fake-answers.ts";
import { handoffPlace } from "../testing/handoff-command.ts";

const OFFLINE = ["--engine", "offline"];

test("handoff latest hands the same session off again until somebody goes on in the new one", async () => {
  const answers = [textAnswer("first answer"), textAnswer("second answer")];
  await using place = await handoffPlace("auth-refactor", answers);
  const handOff = (args: readonly string[]) => place.run(["handoff", ...args]);
  await place.run(["run", ...place.model, "the first request"]);
  const first = await handOff(["latest", ...OFFLINE]);
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("the first request")]);
  const again = await handOff(["latest", ...OFFLINE]);
  expect([again.code, again.stdout]).toEqual([0, first.stdout]);
  expect(again.stderr).toContain(
    "agent: nothing was said in the latest session yet: this is the one before it, ",
  );

  const id = /New session started with handoff context: (\S+)/.exec(again.stderr)?.[1] ?? "";
  const named = await handOff([id, ...OFFLINE]);
  expect(named.code).toBe(4);
  expect(named.stderr).toMatch(
    /Nothing to hand off \(no messages yet\)\n.*It goes on from session [0-9a-f-]{36}\./,
  );

  await place.run(["run", ...place.model, "--continue", "the second request"]);
  const next = await handOff(["latest", ...OFFLINE]);
  expect([next.code, next.stdout]).toEqual([0, expect.stringContaining("the second request")]);
});
