import { expect, test } from "bun:test";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { readValues } from "./values.ts";

async function* chunks(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array, void> {
  for (const part of parts) yield Buffer.from(part);
}

async function read(text: string, documentMember?: string) {
  const items = await Array.fromAsync(readValues(chunks(text), { documentMember }));
  return {
    values: items.flatMap((item) => (item.kind === "value" ? [[item.source.line, item.source.value]] : [])),
    problems: items.flatMap((item) =>
      item.kind === "problem" ? [[item.problem.line, item.problem.code]] : [],
    ),
  };
}

test("readValues() reads an object a line, and skips empty lines, a byte-order mark and carriage returns", async () => {
  expect(await read('\ufeff{"a":1}\r\n\r\n{"a":2}\n   \n{"a":"\u2028"}')).toEqual({
    values: [
      [1, { a: 1 }],
      [3, { a: 2 }],
      [5, { a: "\u2028" }],
    ],
    problems: [],
  });
});

test("readValues() reads several objects on a line", async () => {
  expect(await read('{"a":1}{"a":2} {"a":"}{"}\n{"a":3}')).toEqual({
    values: [
      [1, { a: 1 }],
      [1, { a: 2 }],
      [1, { a: "}{" }],
      [2, { a: 3 }],
    ],
    problems: [[1, "several-objects"]],
  });
});

test("readValues() reads objects over several lines, one after another or among whole lines", async () => {
  const pretty = JSON.stringify({ a: { b: [1, {}] }, c: "x" }, null, 2);
  expect(await read(`${pretty}\n${pretty}\n{"d":1}\n${pretty}`)).toEqual({
    values: [
      [1, { a: { b: [1, {}] }, c: "x" }],
      [10, { a: { b: [1, {}] }, c: "x" }],
      [19, { d: 1 }],
      [20, { a: { b: [1, {}] }, c: "x" }],
    ],
    problems: [],
  });
});

test("readValues() reports what is no object, and reads on", async () => {
  expect(await read('garbage\n{"a":1}\n[1]\n"text"\n12\n{"a":2}\n')).toEqual({
    values: [
      [2, { a: 1 }],
      [6, { a: 2 }],
    ],
    problems: [
      [1, "not-json"],
      [3, "not-object"],
      [4, "not-object"],
      [5, "not-object"],
    ],
  });
});

test("readValues() finds the record that was fused to a torn line, and takes nothing from inside the torn one", async () => {
  const torn = '{"type":"user","id":1,"message":{"role":"user"}';
  expect(
    await read(`{"type":"x","id":0}\n${torn},"te{"type":"y","id":2,"n":{"m":1}}\n${torn}\n${torn}`),
  ).toEqual({
    values: [
      [1, { type: "x", id: 0 }],
      [2, { type: "y", id: 2, n: { m: 1 } }],
    ],
    problems: [
      [2, "not-json"],
      [3, "not-json"],
      [4, "torn-line"],
    ],
  });
});

test("readValues() leaves out a line whose values are nested beyond all measure", async () => {
  const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect(await read(`{"a":1}\n${deep}\n{"a":2}\n`)).toEqual({
    values: [
      [1, { a: 1 }],
      [3, { a: 2 }],
    ],
    problems: [[2, "too-deep"]],
  });
});

test("readValues() reports a torn last line, and skips NUL bytes", async () => {
  expect(await read('\0\0\0{"a":1}\0\n{"a":2}\n{"a":3,"b":"x')).toEqual({
    values: [
      [1, { a: 1 }],
      [2, { a: 2 }],
    ],
    problems: [
      [1, "nul-bytes"],
      [3, "torn-line"],
    ],
  });
});

test("readValues() gives up an object over several lines when a whole one begins, and loses no whole line", async () => {
  expect(await read('{"a":1,\n"b":[\n{"c":3}\n{"d":4}\n')).toEqual({
    values: [
      [3, { c: 3 }],
      [4, { d: 4 }],
    ],
    problems: [
      [1, "not-json"],
      [2, "not-json"],
    ],
  });
});

test("readValues() takes what can be read of a broken document", async () => {
  const whole = JSON.stringify({
    id: "s",
    messages: [
      { n: 1, t: "a" },
      { n: 2, t: "b" },
      { n: 3, t: "c" },
    ],
  });
  expect(await read(whole.slice(0, -6), "messages")).toEqual({
    values: [[1, { id: "s", messages: [{ n: 1, t: "a" }, { n: 2, t: "b" }, { n: 3 }] }]],
    problems: [[1, "torn-line"]],
  });
  expect((await read(whole.replace('"t":"b"', '"t":§'), "messages")).values).toEqual([
    [1, { id: "s", messages: [{ n: 1, t: "a" }, { n: 2 }] }],
    [1, { n: 3, t: "c" }],
  ]);
});

test("readValues() gives the same for every way to cut the bytes into chunks", async () => {
  const bytes = Buffer.from('{"a":"häß→🚂"}\n{"b":\n 2}\n\0{"c":3}{"d":4}\n{"e":');
  const whole = await Array.fromAsync(readValues(chunks(bytes), { documentMember: undefined }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const parts = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      const items = await Array.fromAsync(readValues(chunks(...parts), { documentMember: undefined }));
      expect(items).toEqual(whole);
    }),
  );
});
