import { expect, test } from "bun:test";
import { imageType } from "./image-type.ts";

test("imageType() knows the images that models take by their first bytes", () => {
  const types = [
    "\x89PNG\r\n\x1a\n....",
    "\xff\xd8\xff\xe0....",
    "GIF87a......",
    "GIF89a......",
    "RIFF\x10\x00\x00\x00WEBP",
    "RIFF\x10\x00\x00\x00WAVE",
    "GIF is a format",
    "",
  ].map((bytes) => imageType(Buffer.from(bytes, "latin1")));
  expect(types).toEqual([
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/gif",
    "image/webp",
    undefined,
    undefined,
    undefined,
  ]);
});
