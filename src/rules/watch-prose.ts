// Watching text or thinking blocks, one after another: each is a stream of its own.

import type { Fire, StreamMatcher } from "../matcher/matcher.ts";
import type { TtsrRule } from "./register.ts";
import { buildMatcher, type WatchFire, type WatchGaveUp, type WatchOptions } from "./stream.ts";

export interface ProseWatch {
  /** Whether this block is the one being read. */
  isReading(contentIndex: number): boolean;
  /** A new block begins; what was read before is forgotten. */
  begin(contentIndex: number): void;
  push(delta: string): readonly WatchFire[];
  /** The block is whole. */
  end(): readonly WatchFire[];
  /** The block is void. */
  reset(): void;
  takeGaveUp(): readonly WatchGaveUp[];
}

const NO_FIRES: readonly WatchFire[] = Object.freeze([]);

/** A watch over the blocks of one kind. Its matcher is built when the first block comes. */
export function createProseWatch(
  stream: "text" | "thinking",
  rules: readonly TtsrRule[],
  options: WatchOptions,
): ProseWatch {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const gaveUp: WatchGaveUp[] = [];
  let matcher: StreamMatcher | undefined;
  let reading: number | undefined;
  let seenGaveUp = 0;

  const firesOf = (fires: readonly Fire[], contentIndex: number): readonly WatchFire[] => {
    for (const { id, at } of matcher?.gaveUp.slice(seenGaveUp) ?? []) {
      const rule = byName.get(id);
      if (rule !== undefined) gaveUp.push({ rule, stream, at });
      seenGaveUp += 1;
    }
    if (fires.length === 0) return NO_FIRES;
    return fires.flatMap(({ id, at, atEnd }) => {
      const rule = byName.get(id);
      return rule === undefined ? [] : [{ rule, stream, contentIndex, at, atEnd }];
    });
  };
  return {
    isReading: (contentIndex) => reading === contentIndex,
    begin(contentIndex) {
      reading = contentIndex;
      seenGaveUp = 0;
      if (rules.length > 0) matcher ??= buildMatcher(rules, options.matcher);
      matcher?.restart();
    },
    push: (delta) =>
      matcher === undefined || reading === undefined ? NO_FIRES : firesOf(matcher.push(delta), reading),
    end() {
      if (matcher === undefined || reading === undefined) return NO_FIRES;
      const contentIndex = reading;
      reading = undefined;
      return firesOf(matcher.end(), contentIndex);
    },
    reset() {
      reading = undefined;
    },
    takeGaveUp: () => gaveUp.splice(0),
  };
}
