import { expect, test } from "bun:test";
import { join } from "node:path";
import { textOf } from "../model/messages.ts";
import { toolPlace } from "../testing/tool-place.ts";

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

test("read gives text as it stands", async () => {
  using place = await toolPlace();
  place.write("a.txt", "one\n\ttwo\nthree");
  expect(await place.call("read", { path: "a.txt" })).toEqual({
    content: [{ type: "text", text: "one\n\ttwo\nthree" }],
    isError: false,
    details: { path: join(place.cwd, "a.txt"), firstLine: 1, lastLine: 3, truncated: false },
  });
});

test("read gives a range of lines and says how to go on", async () => {
  using place = await toolPlace();
  place.write("a.txt", "1\n2\n3\n4\n5\n");
  expect(await place.text("read", { path: "a.txt", offset: 2, limit: "2" })).toBe(
    "2\n3\n[lines 2-3 of 5; continue with offset 4]",
  );
  expect(await place.text("read", { path: "a.txt", offset: 4 })).toBe("4\n5");
  expect(await place.text("read", { path: "a.txt", offset: 9 })).toBe(
    "Cannot read a.txt: line 9 is past its end (it has 5 lines)",
  );
});

test("read stops at 2000 lines, and at 50 kB", async () => {
  using place = await toolPlace();
  place.write("lines.txt", "x\n".repeat(5_000));
  place.write("bytes.txt", `${"é".repeat(999)}\n`.repeat(100));
  expect(await place.text("read", { path: "lines.txt" })).toEndWith(
    "x\n[lines 1-2000 of 5000; continue with offset 2001]",
  );
  const text = await place.text("read", { path: "bytes.txt" });
  expect(text).toEndWith("\n[lines 1-25 of 100; continue with offset 26]");
  expect(Buffer.byteLength(text)).toBeLessThan(50_100);
});

test("read cuts one line that is too long, between characters", async () => {
  using place = await toolPlace();
  place.write("a.txt", `${"日".repeat(30_000)}\nnext\n`);
  const text = await place.text("read", { path: "a.txt" });
  expect(text).toBe(
    `${"日".repeat(16_666)}\n[line 1 is too long and was cut; lines 1-1 of 2; continue with offset 2]`,
  );
});

test("read passes over a line of megabytes as over any other", async () => {
  using place = await toolPlace();
  place.write("a.json", `${"x".repeat(17_000_000)}\nend\n`);
  expect(await place.text("read", { path: "a.json", offset: 2 })).toBe("end");
  expect(await place.text("read", { path: "a.json" })).toBe(
    `${"x".repeat(50_000)}\n[line 1 is too long and was cut; lines 1-1 of more; continue with offset 2]`,
  );
});

test("read ends with the run on its way to a line far down", async () => {
  using place = await toolPlace();
  place.write("a.txt", "abcdefg\n".repeat(2_000_000));
  await place.call("read", { path: "a.txt" });
  const controller = new AbortController();
  // The first call has loaded what later ones need, so this one is at the file when it gives way.
  const reading = place.call("read", { path: "a.txt", offset: 1_999_999 }, controller.signal);
  controller.abort();
  expect(textOf((await reading).content)).toBe("Cannot read a.txt: the run was ended");
});

test("read keeps characters whole that chunks of the file cut", async () => {
  using place = await toolPlace();
  place.write("a.txt", `${"a".repeat(65_535)}\n日本\n`);
  expect(await place.text("read", { path: "a.txt", offset: 2 })).toBe("日本");
});

test("read recognises binary files, UTF-16 and empty files", async () => {
  using place = await toolPlace();
  place.write("bin", Uint8Array.from([1, 0, 2]));
  place.write("latin1", Uint8Array.from([0x61, 0xe9, 0x62]));
  place.write("utf16", Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x0a, 0]));
  place.write("empty", "");
  expect(await place.text("read", { path: "bin" })).toBe("Cannot read bin: it is a binary file (3 bytes)");
  expect(await place.text("read", { path: "latin1" })).toBe(
    "Cannot read latin1: it is a binary file (3 bytes)",
  );
  expect(await place.text("read", { path: "utf16" })).toBe("a");
  expect(await place.text("read", { path: "empty" })).toBe("(the file is empty)");
});

test("read gives images to a model with vision, and says so to one without", async () => {
  using seeing = await toolPlace({ vision: true });
  seeing.write("a.dat", PNG);
  expect((await seeing.call("read", { path: "a.dat" })).content).toEqual([
    { type: "image", data: Buffer.from(PNG).toString("base64"), mimeType: "image/png" },
  ]);
  using blind = await toolPlace();
  blind.write("a.png", PNG);
  expect(await blind.text("read", { path: "a.png" })).toBe(
    "Cannot read a.png: it is an image (image/png), and this model does not take images",
  );
});

test("read gives the body of a rule", async () => {
  using place = await toolPlace({ readRule: (name) => (name === "no-any" ? "Use unknown." : undefined) });
  expect(await place.text("read", { path: "rule://no-any" })).toBe("Use unknown.");
  expect(await place.text("read", { path: "rule://other" })).toBe(
    "Cannot read rule://other: there is no such rule",
  );
});

test("read says what is wrong with its arguments", async () => {
  using place = await toolPlace();
  expect(await place.text("read", { file: "a", offset: "x", limit: 0 })).toBe(
    'Cannot call read: "path" is missing; "file" is unknown (there are: path, offset, limit); "offset" must be integer; "limit" must be >= 1',
  );
});
