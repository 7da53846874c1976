import { expect, test } from "bun:test";
import { createIdMaker } from "./ids.ts";
import { createOrdinals } from "./ordinals.ts";

test("createOrdinals() finds a hundred thousand names again, and the entry at or before each", () => {
  const ordinals = createOrdinals();
  const name = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const entry = (index: number) => index.toString(16).padStart(8, "0");
  for (let index = 1; index <= 100_000; index++) {
    const ordinal = ordinals.next(name(index));
    if (index % 3 === 0) ordinals.placed(ordinal, entry(index));
  }
  const wrong = Array.from({ length: 100_000 }, (_, at) => at + 1).filter((index) => {
    const before = index - (index % 3);
    return (
      ordinals.of(name(index)) !== index || ordinals.entryAt(index) !== (before === 0 ? null : entry(before))
    );
  });
  expect(wrong).toEqual([]);
  expect(ordinals.of("another")).toBeUndefined();
});

test("createIdMaker() makes ids that are unique, also for the same line and content", () => {
  const ids = createIdMaker();
  const made = Array.from({ length: 50_000 }, (_, index) => ids.make(index % 7, "same"));
  expect(new Set(made).size).toBe(made.length);
  expect(made.every((id) => /^[0-9a-f]{8}$/.test(id))).toBe(true);
  const again = createIdMaker();
  expect(Array.from({ length: 100 }, (_, index) => again.make(index % 7, "same"))).toEqual(
    made.slice(0, 100),
  );
});
