// Runs the cases: plain functions, so that they hold under Bun's test runner and under Deno alike.

import { StreamMatcher } from "../matcher.ts";
import type { Case } from "./cases.ts";
import { feed } from "./properties.ts";

/** What is wrong about a case, or undefined. */
export function checkCase([pattern, flags, text, at, atEnd = false]: Case): string | undefined {
  const matcher = new StreamMatcher([{ id: "rule", patterns: [pattern], flags }]);
  const expected = JSON.stringify(at === null ? [] : [{ id: "rule", at, atEnd }]);
  for (const size of [1, 2, 3, Math.max(1, text.length)]) {
    const got = JSON.stringify(feed(matcher, chunksOf(text, size)));
    if (got !== expected) return `in chunks of ${size}: expected ${expected}, got ${got}`;
  }
  return undefined;
}

function chunksOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, k) =>
    text.slice(k * size, (k + 1) * size),
  );
}
