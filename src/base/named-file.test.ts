import { expect, test } from "bun:test";
import { tempDir } from "../testing/temp.ts";
import { readNamedFile } from "./named-file.ts";

test("readNamedFile() reads files, and refuses what may have no end", () => {
  using dir = tempDir();
  expect(readNamedFile(dir.write("a.txt", "text"))).toBe("text");
  expect(readNamedFile("/dev/null")).toBe("");
  expect(() => readNamedFile("/dev/zero")).toThrow(expect.objectContaining({ code: "ENXIO" }));
  expect(() => readNamedFile(dir.path)).toThrow(expect.objectContaining({ code: "EISDIR" }));
  expect(() => readNamedFile(`${dir.path}/none`)).toThrow(expect.objectContaining({ code: "ENOENT" }));
});
