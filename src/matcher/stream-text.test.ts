import { expect, test } from "bun:test";
import fc from "fast-check";
import { StreamText } from "./stream-text.ts";

test("StreamText.from() gives all from an offset on, and little before it", () => {
  const piece = fc.nat(3000).map((length) => "x".repeat(length));
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (pieces, share) => {
        const marked = pieces.map((text, k) => `${k}:${text}`);
        const kept = new StreamText();
        for (const text of marked) kept.push(text);
        const whole = marked.join("");
        const offset = Math.floor(whole.length * share);
        const { text, base } = kept.from(offset);
        expect(kept.length).toBe(whole.length);
        expect(text).toBe(whole.slice(base));
        expect(base).toBeLessThanOrEqual(offset);
        expect(offset - base).toBeLessThan(8192);
      },
    ),
  );
});
