// What conversion promises in every runtime: the same entries however the bytes are cut, and no throw wherever they end.

import { deepStrictEqual } from "node:assert/strict";
import { readdirSync } from "node:fs";
import type { Case } from "../../testing/cases.ts";
import { convertChunks, FIXTURES, fixtureBytes } from "../../testing/conversion.ts";
import type { ForeignFormatName } from "./format.ts";
import { recogniseFormat } from "./recognise.ts";
import { FOREIGN_FORMATS } from "./registry.ts";

/** The fixtures of other agents' sessions, with their formats. */
function foreignFixtures(): readonly { readonly name: string; readonly format: ForeignFormatName }[] {
  return readdirSync(FIXTURES)
    .toSorted()
    .flatMap((name) => {
      const recognised = recogniseFormat(fixtureBytes(name));
      const found = FOREIGN_FORMATS.find(
        (format) => recognised.kind === "session" && format.name === recognised.format,
      );
      return found === undefined ? [] : [{ name, format: found.name }];
    });
}

function pieces(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

export const FORMATS_CASES: readonly Case[] = foreignFixtures().flatMap(({ name, format }) => [
  {
    name: `convertSession() gives the same for ${name} in pieces of 1, 7 and 4096 bytes`,
    async run() {
      const bytes = fixtureBytes(name);
      const whole = await convertChunks(format, [bytes]);
      for (const size of [1, 7, 4096]) {
        deepStrictEqual(await convertChunks(format, pieces(bytes, size)), whole);
      }
    },
  },
  {
    name: `convertSession() never throws for ${name}, wherever it is cut`,
    async run() {
      const bytes = fixtureBytes(name);
      const step = Math.max(1, Math.floor(bytes.length / 60));
      for (let end = 0; end < bytes.length; end += step) {
        const { entries } = await convertChunks(format, [bytes.subarray(0, end)]);
        deepStrictEqual(new Set(entries.map((entry) => entry.id)).size, entries.length);
      }
    },
  },
]);
