import { expect, test } from "bun:test";
import { parseSize } from "./size.ts";

test.each([
  ["0", 0],
  ["65536", 65_536],
  ["64k", 65_536],
  ["1 MiB", 1_048_576],
  ["1mb", 1_048_576],
  ["2G", 2_147_483_648],
  ["", undefined],
  ["1.5k", undefined],
  ["-1", undefined],
  ["1t", undefined],
])("parseSize() of %p is %p", (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});
