// What a model that repeats itself makes of the splitters: the time stays in proportion to the text, whatever stands in
// it, and no text exhausts the stack. (Where it does not, these take minutes, and the runner ends them.)

import { deepEqual } from "node:assert/strict";
import fc from "fast-check";
import type { Case } from "../../testing/cases.ts";
import { textCalls } from "./text-calls.ts";
import { advance, isBlankLine, TEXT_START } from "./text-place.ts";
import { thinkTags } from "./think-tags.ts";

const UNITS = 30_000;
const REPEATED: readonly string[] = [
  " ",
  "\n",
  "`",
  "```\n",
  "<",
  "a<tool_call>",
  "<tool_call>\n",
  "<tool_call>x</tool_call>\n",
  "</think>",
  "a</think>",
  "`</think>\n",
  "<think>",
];
const BEGINNINGS: readonly string[] = ["", "text\n", "text\n```\n", '{"name":', '```json\n{"name":"ls"'];

/** The text that comes out, whichever part it is in. */
function throughBoth(pieces: readonly string[]): string {
  const tags = thinkTags();
  const calls = textCalls(new Set(["ls"]));
  const through = (parts: ReturnType<typeof tags.push>) =>
    parts.flatMap((part) => (part.kind === "text" ? calls.push(part.text) : []));
  const parts = [...pieces.flatMap((piece) => through(tags.push(piece))), ...through(tags.end())];
  return [...parts, ...calls.end()].map((part) => (part.kind === "text" ? part.text : "")).join("");
}

export const SPLITTER_LONG_CASES: readonly Case[] = [
  ...REPEATED.map((repeated) => ({
    name: `the splitters take ${UNITS} times ${JSON.stringify(repeated)}, whole or in pieces, to the same text`,
    run: () => {
      for (const beginning of BEGINNINGS) {
        const pieces = [beginning, ...Array.from({ length: UNITS }, () => repeated)];
        deepEqual(throughBoth(pieces).length, throughBoth([pieces.join("")]).length);
      }
    },
  })),
  {
    name: "advance() says of a text in pieces what the whole says",
    run: () =>
      fc.assert(
        fc.property(fc.array(fc.string({ unit: fc.constantFrom(..." \t\n`a") })), (pieces) => {
          const whole = pieces.join("");
          const place = pieces.reduce(advance, TEXT_START);
          const fences = whole.match(/^[ \t]*```/gm)?.length ?? 0;
          const line = whole.slice(whole.lastIndexOf("\n") + 1);
          deepEqual([place.insideFence, isBlankLine(place)], [fences % 2 === 1, line.trim() === ""]);
        }),
      ),
  },
];
