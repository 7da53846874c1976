import { expect, test } from "bun:test";
import fc from "fast-check";
import { createIdTable, idBytes } from "./id-table.ts";

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
