import { expect, test } from "bun:test";
import { sleep, startTimer } from "./timer.ts";

const DAY_MS = 86_400_000;

test("startTimer() runs its action after the time, and not once it is stopped", async () => {
  const ran: string[] = [];
  const stop = startTimer(1, () => ran.push("stopped"));
  stop();
  await new Promise<void>((resolve) => {
    startTimer(5, () => {
      ran.push("waited");
      resolve();
    });
  });
  expect(ran).toEqual(["waited"]);
});

for (const ms of [30 * DAY_MS, 1e15, Number.POSITIVE_INFINITY]) {
  test(`startTimer() does not fire at once for ${ms} ms`, async () => {
    const ran: string[] = [];
    const stop = startTimer(ms, () => ran.push("fired"));
    await Bun.sleep(20);
    stop();
    expect(ran).toEqual([]);
  });
}

test("sleep() waits for its time, or for the signal if that comes first", async () => {
  await sleep(1);
  await sleep(DAY_MS, AbortSignal.abort());
  const controller = new AbortController();
  const sleeping = sleep(DAY_MS, controller.signal);
  controller.abort();
  await sleeping;
});
