// Runs the cases: plain functions, so that they hold under Bun's test runner and under Deno alike.

import { type Fire, StreamMatcher } from "../matcher.ts";
import type { Case } from "./cases.ts";

/** Feeds a text in chunks of `size` units; what fires. */
export function firesIn(matcher: StreamMatcher, text: string, size: number): Fire[] {
  const fires = [...matcher.push("")];
  for (let from = 0; from < text.length; from += size)
    fires.push(...matcher.push(text.slice(from, from + size)));
  return [...fires, ...matcher.end()];
}

/** What is wrong about a case, or undefined. */
export function checkCase([pattern, flags, text, at, atEnd = false]: Case): string | undefined {
  const matcher = new StreamMatcher([{ id: "rule", patterns: [pattern], flags }]);
  const expected = JSON.stringify(at === null ? [] : [{ id: "rule", at, atEnd }]);
  for (const size of [1, 2, 3, Math.max(1, text.length)]) {
    matcher.restart();
    const got = JSON.stringify(firesIn(matcher, text, size));
    if (got !== expected) return `in chunks of ${size}: expected ${expected}, got ${got}`;
  }
  return undefined;
}
