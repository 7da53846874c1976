import { expect, test } from "bun:test";
import fc from "fast-check";
import { createIdTable, idBytes, reusedIdBytes } from "./id-table.ts";

test("createIdTable() numbers ids as a Map would", () => {
  const id = fc.oneof(fc.string({ maxLength: 3 }), fc.string({ minLength: 250, maxLength: 300 }));
  fc.assert(
    fc.property(fc.array(id), (ids) => {
      const table = createIdTable();
      const map = new Map<string, number>();
      for (const text of ids) {
        const number = map.get(text) ?? map.size;
        map.set(text, number);
        expect(table.add(idBytes(text))).toBe(number);
      }
      expect(table.size).toBe(map.size);
      for (const [text, number] of map) {
        expect(table.find(idBytes(text))).toBe(number);
        expect(table.text(number)).toBe(text);
      }
      expect(table.find(idBytes("none of them"))).toBe(-1);
    }),
  );
});

test("createIdTable() keeps a hundred thousand ids apart", () => {
  const table = createIdTable();
  const text = (number: number) => (number * 2654435761).toString(16).slice(-8).padStart(8, "0");
  for (let number = 0; number < 100_000; number++) table.add(idBytes(`${number}-${text(number)}`));
  expect(table.size).toBe(100_000);
  expect(table.text(77_777)).toBe(`77777-${text(77_777)}`);
  expect(table.find(idBytes(`5-${text(5)}`))).toBe(5);
});

test("createIdTable() takes at most 24 bytes for an id of 8 hex digits, however many there are", () => {
  const table = createIdTable();
  const reused = reusedIdBytes();
  let [most, before] = [0, table.memoryBytes];
  for (let number = 0; number < 400_000; number++) {
    table.add(reused((Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")));
    const now = table.memoryBytes;
    // What is replaced when the table grows, half of the new, is there until the new one is filled.
    if (number > 50_000) most = Math.max(most, (now + (now - before)) / table.size);
    before = now;
  }
  expect(table.size).toBe(400_000);
  expect(most).toBeLessThan(24);
});

test("createIdTable() gives ids that look like hex digits back as they are", () => {
  const table = createIdTable();
  const ids = [
    "00000000",
    "ffffffff",
    "FFFFFFFF",
    "0000000a",
    "0000000A",
    "0",
    "a",
    "80000000",
    "0000000g",
    "000000000",
  ];
  for (const id of ids) table.add(idBytes(id));
  expect(ids.map((_, number) => table.text(number))).toEqual(ids);
});

test("createIdTable() takes half a kilobyte for a few ids", () => {
  const table = createIdTable();
  for (const id of ["0000000a", "0000000b", "0000000c"]) table.add(idBytes(id));
  expect(table.memoryBytes).toBeLessThan(512);
});
