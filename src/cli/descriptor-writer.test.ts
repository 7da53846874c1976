import { expect, test } from "bun:test";
import { AppError } from "../base/errors.ts";
import { unreadPipe } from "../testing/unread-pipe.ts";
import { descriptorWriter } from "./descriptor-writer.ts";

/** More than a pipe holds. */
const LARGE = "0123456789abcdef".repeat(20_000);
const bytes = (text: string) => new TextEncoder().encode(text);
const ENDED = new AppError("sigterm", "Ended by SIGTERM");

test("descriptorWriter() waits at the end for a reader that reads", async () => {
  using pipe = unreadPipe();
  const writer = descriptorWriter(pipe.writeEnd);
  const end = new AbortController();
  writer.giveUpAt(end.signal);
  const written = writer.write(bytes(LARGE));
  await pipe.begun();
  end.abort(ENDED);
  const last = writer.write(bytes("last"));
  const reading = setInterval(() => pipe.rest(), 5);
  await Promise.all([written, last]).finally(() => clearInterval(reading));
  expect(pipe.rest() === `${LARGE}last`).toBe(true);
});

test("descriptorWriter() gives up a reader that does not read, with what ended the command, and writes no more", async () => {
  using pipe = unreadPipe();
  const writer = descriptorWriter(pipe.writeEnd);
  const end = new AbortController();
  writer.giveUpAt(new AbortController().signal);
  writer.giveUpAt(end.signal);
  const written = writer.write(bytes(LARGE));
  await pipe.begun();
  end.abort(ENDED);
  const thrown = await Promise.all([written.catch(String), writer.write(bytes("later")).catch(String)]);
  expect(thrown).toEqual([String(ENDED), String(ENDED)]);
  expect(await writer.write(bytes("after")).catch(String)).toBe(String(ENDED));
  // The write that the system holds ends when the reader takes it, and nothing follows.
  const taken = pipe.rest();
  expect([LARGE.startsWith(taken), taken.length < LARGE.length]).toEqual([true, true]);
});

test("descriptorWriter() writes what comes after the end where there is room", async () => {
  using pipe = unreadPipe();
  const writer = descriptorWriter(pipe.writeEnd);
  writer.giveUpAt(AbortSignal.abort(ENDED));
  await writer.write(bytes("the last "));
  await writer.write(bytes("record"));
  expect(pipe.rest()).toBe("the last record");
});
