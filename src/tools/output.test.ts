import { expect, test } from "bun:test";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { tempDir } from "../testing/temp.ts";
import { cutBytes, outputCollector } from "./output.ts";
import { spillDirectory } from "./spill.ts";

const LIMITS = { maxBytes: 40, maxLines: 6 };

function collect(pieces: readonly string[], directory: string) {
  const collector = outputCollector(spillDirectory({ TMPDIR: directory }), "out", LIMITS);
  for (const piece of pieces) collector.push(piece);
  return collector.finish();
}

test("outputCollector() leaves a short output as it is, and writes no file", () => {
  using dir = tempDir();
  expect(collect(["a\n", "", "b"], dir.path)).toEqual({
    text: "a\nb",
    truncated: false,
    totalBytes: 3,
    totalLines: 2,
  });
});

test("outputCollector() keeps head and tail in whole lines, and the rest in a private file", () => {
  using dir = tempDir();
  const lines = Array.from({ length: 20 }, (_, index) => `line${index}\n`);
  const { text, path, ...rest } = collect(lines, dir.path);
  expect(rest).toEqual({ truncated: true, totalBytes: 130, totalLines: 20 });
  expect(text).toBe(
    `line0\nline1\nline2\n[… 98 bytes left out of 130 (20 lines); all of it: ${path} …]\nline18\nline19\n`,
  );
  expect(readFileSync(path ?? "", "utf8")).toBe(lines.join(""));
  expect(statSync(path ?? "").mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path ?? "")).mode & 0o777).toBe(0o700);
  expect(path).toStartWith(realpathSync(dir.path));
});

test("outputCollector() keeps head and tail where the rest cannot be kept", () => {
  const { text, path, truncated } = collect(["0123456789\n".repeat(10)], "/proc");
  expect({ path, truncated }).toEqual({ path: undefined, truncated: true });
  expect(text).toBe(
    "0123456789\n[… 88 bytes left out of 110 (10 lines); they could not be kept: ENOENT …]\n0123456789\n",
  );
});

test("outputCollector() cuts a line that is too long between characters", () => {
  using dir = tempDir();
  const { text, path } = collect(["日".repeat(100)], dir.path);
  expect(text).toBe(
    `${"日".repeat(6)}\n[… 264 bytes left out of 300 (1 line); all of it: ${path} …]\n${"日".repeat(6)}`,
  );
});

test("outputCollector() gives the same for any cut into pieces, within its limits", () => {
  using dir = tempDir();
  const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "é", "日", "😀", "\n", "\r") }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(pieces, (parts) => {
      const cut = collect(parts, dir.path);
      const whole = collect([parts.join("")], dir.path);
      const same = (text: string, path: string | undefined) => text.replace(path ?? " none", "FILE");
      expect(same(cut.text, cut.path)).toBe(same(whole.text, whole.path));
      const left = cut.text.replace(/\[… .* …\]\n/, "");
      expect(Buffer.byteLength(left)).toBeLessThanOrEqual(LIMITS.maxBytes + 1);
      expect(left).not.toContain("\ufffd");
      if (cut.path !== undefined) expect(readFileSync(cut.path, "utf8")).toBe(parts.join(""));
    }),
    { numRuns: 200 },
  );
});

test("outputCollector() holds little of a large output in memory", () => {
  using dir = tempDir();
  const { truncated, totalLines, path } = collect(Array(20_000).fill("0123456789\n"), dir.path);
  expect({ truncated, totalLines, size: statSync(path ?? "").size }).toEqual({
    truncated: true,
    totalLines: 20_000,
    size: 220_000,
  });
});

test("cutBytes() splits no character", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((max) => cutBytes("aé😀", max))).toEqual([
    "",
    "a",
    "a",
    "aé",
    "aé",
    "aé",
    "aé",
    "aé😀",
  ]);
});
