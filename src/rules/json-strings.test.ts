import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createJsonStrings, type JsonPath, stringValuesOf } from "./json-strings.ts";

interface Collected {
  readonly strings: readonly (readonly [JsonPath, string])[];
  readonly state: string;
}

/** The strings that the reader gives for pieces of a text; pieces of one string must come together and end once. */
function collect(pieces: readonly string[]): Collected {
  const reader = createJsonStrings();
  const strings: [JsonPath, string][] = [];
  let open = false;
  for (const { path, text, begins, ends } of pieces.flatMap((piece) => reader.push(piece))) {
    expect(begins).toBe(!open);
    if (begins) strings.push([path, ""]);
    const last = strings.at(-1);
    if (last !== undefined) last[1] += text;
    open = !ends;
  }
  return { strings, state: reader.state };
}

/** A text cut at random places. */
const cut = (text: string) =>
  fc.array(fc.nat(text.length)).map((places) => {
    const sorted = [0, ...places, text.length].sort((a, b) => a - b);
    return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
  });

describe("createJsonStrings()", () => {
  test("gives every string of any JSON text, however it is cut", () => {
    const text = fc
      .tuple(fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }), fc.boolean())
      .map(([value, pretty]) => JSON.stringify(value, null, pretty ? 2 : undefined));
    fc.assert(
      fc.property(
        text.chain((whole) => fc.tuple(fc.constant(whole), cut(whole))),
        ([whole, pieces]) => {
          const expected = [...stringValuesOf(JSON.parse(whole))];
          expect(collect(pieces).strings).toEqual(expected);
        },
      ),
    );
  });

  test("decodes escapes that are cut in their middle", () => {
    const text = String.raw`{"a":"\ud83d\ude00\n\"\\\/\u0041"}`;
    expect(collect([...text])).toEqual({ strings: [[["a"], '😀\n"\\/A']], state: "complete" });
  });

  test("gives a string's beginning before its end has come", () => {
    const reader = createJsonStrings();
    expect(reader.push('{"path": "src/a.ts", "content": "let x')).toEqual([
      { path: ["path"], text: "src/a.ts", begins: true, ends: true },
      { path: ["content"], text: "let x", begins: true, ends: false },
    ]);
    expect(reader.push(' = 1"')).toEqual([{ path: ["content"], text: " = 1", begins: false, ends: true }]);
    expect(reader.state).toBe("open");
  });

  test("gives an empty string as a piece that begins and ends", () => {
    expect(createJsonStrings().push('[""]')).toEqual([{ path: [0], text: "", begins: true, ends: true }]);
  });

  test("names nested values by keys and indices", () => {
    const { strings } = collect(['{"edits":[{"newText":"a"},{"newText":"b"}],"n":[1,true,null,"c"]}']);
    expect(strings).toEqual([
      [["edits", 0, "newText"], "a"],
      [["edits", 1, "newText"], "b"],
      [["n", 3], "c"],
    ]);
  });

  test.each([
    ['{"a" "b"}'],
    ['{"a":"b"]'],
    ['["a""b"]'],
    [String.raw`["\x"]`],
    [String.raw`["\u12g4"]`],
    ['{"a":"b"}}'],
    ["[,]"],
    ["}"],
  ])("stops at %s, which is not JSON", (text) => {
    expect(collect([text]).state).toBe("broken");
  });
});
