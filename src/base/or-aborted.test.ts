import { expect, test } from "bun:test";
import { orAborted } from "./or-aborted.ts";

const NEVER = new Promise<string>(() => {});

test("orAborted() gives what the promise gives, or throws what it throws", async () => {
  const { signal } = new AbortController();
  expect(await orAborted(Promise.resolve("value"), signal)).toBe("value");
  await expect(orAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
});

test("orAborted() throws the reason of the signal, aborted before or while it waits", async () => {
  const controller = new AbortController();
  const waiting = orAborted(NEVER, controller.signal);
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(orAborted(NEVER, controller.signal)).rejects.toThrow("enough");
});

test("orAborted() keeps to itself what the promise throws after the signal", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const late = Promise.withResolvers<string>();
  const waiting = orAborted(late.promise, AbortSignal.abort(new Error("enough")));
  await expect(waiting).rejects.toThrow("enough");
  late.reject(new Error("too late"));
  await Bun.sleep(1);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
