import { expect, test } from "bun:test";
import { createUpdateQueue } from "./update-queue.ts";

test("createUpdateQueue() joins what a slow reader has not taken, and gives all of it after the end", async () => {
  const queue = createUpdateQueue();
  queue.push({ toolCallId: "a", delta: "1" });
  queue.push({ toolCallId: "b", delta: "x" });
  queue.push({ toolCallId: "a", delta: "2" });
  queue.push({ toolCallId: "a", delta: "" });
  queue.close();
  queue.push({ toolCallId: "a", delta: "too late" });
  expect(await Array.fromAsync(queue)).toEqual([
    { toolCallId: "a", delta: "12" },
    { toolCallId: "b", delta: "x" },
  ]);
});

test("createUpdateQueue() gives an update as it comes to a reader that waits", async () => {
  const queue = createUpdateQueue();
  const reader = queue[Symbol.asyncIterator]();
  const first = reader.next();
  queue.push({ toolCallId: "a", delta: "1" });
  expect((await first).value).toEqual({ toolCallId: "a", delta: "1" });
  const end = reader.next();
  queue.close();
  expect((await end).done).toBe(true);
});

test("createUpdateQueue() keeps at most 64 Ki units of a flood", async () => {
  const queue = createUpdateQueue();
  for (let index = 0; index < 1_000; index++) queue.push({ toolCallId: "a", delta: "x".repeat(1_000) });
  queue.close();
  const [update] = await Array.fromAsync(queue);
  expect(update?.delta.length).toBe(65_536);
});
