import { expect, test } from "bun:test";
import { derivedEntryId, derivedSessionId, newEntryId, newSessionId } from "./ids.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("newSessionId() gives UUIDs of version 7 that sort by their time", () => {
  const ids = [1, 1_000, 1_767_323_045_000, 2 ** 47].map((time) => newSessionId(time));
  expect(ids.every((id) => UUID_V7.test(id))).toBe(true);
  expect(ids).toEqual(ids.toSorted());
  expect(newSessionId(1)).not.toBe(newSessionId(1));
  // The first 48 bits are the time in ms: https://www.rfc-editor.org/rfc/rfc9562#section-5.7
  expect(newSessionId(0x0123456789ab).slice(0, 13)).toBe("01234567-89ab");
});

test("newEntryId() gives 8 hex characters that are not taken", () => {
  const tried: string[] = [];
  const id = newEntryId((candidate) => tried.push(candidate) < 3);
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(tried.length).toBe(3);
  expect(tried.at(-1)).toBe(id);
});

test("derivedEntryId() depends on line and content alone, and gets past ids that are taken", () => {
  const free = () => false;
  const id = derivedEntryId(7, "content", free);
  expect(derivedEntryId(7, new TextEncoder().encode("content"), free)).toBe(id);
  expect(derivedEntryId(8, "content", free)).not.toBe(id);
  expect(derivedEntryId(7, "other", free)).not.toBe(id);
  const second = derivedEntryId(7, "content", (candidate) => candidate === id);
  expect(second).not.toBe(id);
  expect(derivedEntryId(7, "content", (candidate) => candidate === id)).toBe(second);
});

test("derivedEntryId() keeps a hundred thousand lines apart, nearly all at the first try", () => {
  const ids = new Set(
    Array.from({ length: 100_000 }, (_, line) => derivedEntryId(line, `{"n":${line % 100}}`, () => false)),
  );
  expect(ids.size).toBeGreaterThan(99_990);
});

test("derivedSessionId() is a UUID that the content decides", () => {
  const of = (text: string) => derivedSessionId(new TextEncoder().encode(text));
  expect(of("a")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(of("a")).toBe(of("a"));
  expect(of("a")).not.toBe(of("b"));
});
