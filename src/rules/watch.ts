// From the events of a model's stream to the rules that fire in it. Each text block, each thinking block and each
// string that a tool call writes is a stream of its own; what fires depends on the text, never on how it was cut.

import type { Fire, StreamMatcher } from "../matcher/matcher.ts";
import type { MatcherOptions } from "../matcher/options.ts";
import type { ModelEvent } from "../model/model.ts";
import type { TtsrRule } from "./register.ts";
import { buildMatcher, type WatchFire, type WatchGaveUp, type WatchOptions } from "./stream.ts";
import { type CallWatch, createCallWatch } from "./watch-call.ts";

export interface Watch {
  /**
   * The fires that this event decides, in order. `start` resets everything; a text or thinking block ends when another
   * block begins or at `done`, a tool call at `toolcall_end` or `done`; `error` ends nothing, so what only the end
   * decides does not fire there.
   */
  push(event: ModelEvent): readonly WatchFire[];
  /** Rules that gave up since the last call. */
  takeGaveUp(): readonly WatchGaveUp[];
}

/** A text or thinking block that is being read. */
interface OpenBlock {
  readonly stream: "text" | "thinking";
  readonly contentIndex: number;
}

const NO_FIRES: readonly WatchFire[] = Object.freeze([]);

/** A watch over one model stream at a time. */
export function createWatch(rules: readonly TtsrRule[], options: WatchOptions): Watch {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const prose = {
    text: lazyMatcher(
      rules.filter((rule) => rule.watchesText),
      options.matcher,
    ),
    thinking: lazyMatcher(
      rules.filter((rule) => rule.watchesThinking),
      options.matcher,
    ),
  };
  const newCallWatch = createCallWatch(rules, options);
  const calls = new Map<number, CallWatch>();
  const gaveUp: WatchGaveUp[] = [];
  let open: OpenBlock | undefined;
  let seenGaveUp = 0;

  const proseFires = (block: OpenBlock, fires: readonly Fire[]): readonly WatchFire[] => {
    const matcher = prose[block.stream]();
    for (const { id, at } of matcher?.gaveUp.slice(seenGaveUp) ?? []) {
      const rule = byName.get(id);
      if (rule !== undefined) gaveUp.push({ rule, stream: block.stream, at });
      seenGaveUp += 1;
    }
    if (fires.length === 0) return NO_FIRES;
    return fires.flatMap(({ id, at, atEnd }) => {
      const rule = byName.get(id);
      return rule === undefined ? [] : [{ rule, ...block, at, atEnd }];
    });
  };
  const endProse = (): readonly WatchFire[] => {
    if (open === undefined) return NO_FIRES;
    const block = open;
    open = undefined;
    return proseFires(block, prose[block.stream]()?.end() ?? []);
  };
  const pushProse = (block: OpenBlock, delta: string): readonly WatchFire[] => {
    const matcher = prose[block.stream]();
    const isSame = open?.contentIndex === block.contentIndex && open.stream === block.stream;
    const ended = isSame ? NO_FIRES : endProse();
    if (matcher === undefined) return ended;
    if (!isSame) {
      matcher.restart();
      open = block;
      seenGaveUp = 0;
    }
    return joined(ended, proseFires(block, matcher.push(delta)));
  };
  const callFires = (call: CallWatch, fires: readonly WatchFire[]): readonly WatchFire[] => {
    gaveUp.push(...call.takeGaveUp());
    return fires;
  };
  const endCall = (contentIndex: number, args: unknown): readonly WatchFire[] => {
    const call = calls.get(contentIndex);
    calls.delete(contentIndex);
    return call === undefined ? NO_FIRES : callFires(call, call.end(args));
  };

  return {
    push(event) {
      switch (event.type) {
        case "start":
          open = undefined;
          for (const call of calls.values()) call.release();
          calls.clear();
          return NO_FIRES;
        case "text_delta":
        case "thinking_delta": {
          const stream = event.type === "text_delta" ? "text" : "thinking";
          return pushProse({ stream, contentIndex: event.contentIndex }, event.delta);
        }
        case "toolcall_start": {
          const ended = endProse();
          const { contentIndex, id, name } = event;
          const call = newCallWatch({ contentIndex, toolCallId: id, tool: name });
          if (call !== undefined) calls.set(contentIndex, call);
          return ended;
        }
        case "toolcall_delta": {
          const call = calls.get(event.contentIndex);
          return call === undefined ? NO_FIRES : callFires(call, call.push(event.delta));
        }
        case "toolcall_end":
          return endCall(event.contentIndex, event.toolCall.arguments);
        case "done": {
          const fires = [...endProse()];
          for (const contentIndex of [...calls.keys()]) {
            const block = event.message.content[contentIndex];
            fires.push(...endCall(contentIndex, block?.type === "toolCall" ? block.arguments : undefined));
          }
          return fires;
        }
        case "error":
          return NO_FIRES;
      }
    },
    takeGaveUp: () => gaveUp.splice(0),
  };
}

function joined(first: readonly WatchFire[], second: readonly WatchFire[]): readonly WatchFire[] {
  if (first.length === 0) return second;
  return second.length === 0 ? first : [...first, ...second];
}

/** Builds its matcher when it is first wanted; undefined if no rule needs one. */
function lazyMatcher(
  rules: readonly TtsrRule[],
  options: MatcherOptions | undefined,
): () => StreamMatcher | undefined {
  let matcher: StreamMatcher | undefined;
  return () => {
    if (rules.length > 0) matcher ??= buildMatcher(rules, options);
    return matcher;
  };
}
