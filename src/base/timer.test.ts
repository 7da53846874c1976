import { expect, test } from "bun:test";
import { startTimer } from "./timer.ts";

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
