// From the events of a model's stream to the rules that fire in it. Each text block, each thinking block and each
// string that a tool call writes is a stream of its own; what fires depends on the text, never on how it was cut.

import type { ModelEvent } from "../model/model.ts";
import type { TtsrRule } from "./register.ts";
import type { WatchFire, WatchGaveUp, WatchOptions } from "./stream.ts";
import { type CallWatch, createCallWatch } from "./watch-call.ts";
import { createProseWatch, type ProseWatch } from "./watch-prose.ts";

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

const NO_FIRES: readonly WatchFire[] = Object.freeze([]);

/** A watch over one model stream at a time. */
export function createWatch(rules: readonly TtsrRule[], options: WatchOptions): Watch {
  const watchesText = rules.filter((rule) => rule.watchesText);
  const watchesThinking = rules.filter((rule) => rule.watchesThinking);
  const text = createProseWatch("text", watchesText, options);
  const thinking = createProseWatch("thinking", watchesThinking, options);
  const beginCall = createCallWatch(rules, options);
  const calls = new Map<number, CallWatch>();
  const gaveUp: WatchGaveUp[] = [];

  /** One of them at most is reading a block. */
  const endProse = (): readonly WatchFire[] => joined(text.end(), thinking.end());
  const pushProse = (watch: ProseWatch, contentIndex: number, delta: string): readonly WatchFire[] => {
    if (watch.isReading(contentIndex)) return watch.push(delta);
    const ended = endProse();
    watch.begin(contentIndex);
    return joined(ended, watch.push(delta));
  };
  const endCall = (contentIndex: number, args: unknown): readonly WatchFire[] => {
    const call = calls.get(contentIndex);
    calls.delete(contentIndex);
    const fires = call?.end(args) ?? NO_FIRES;
    gaveUp.push(...(call?.takeGaveUp() ?? []));
    return fires;
  };
  const reset = (): void => {
    text.reset();
    thinking.reset();
    for (const call of calls.values()) call.release();
    calls.clear();
  };

  return {
    push(event) {
      switch (event.type) {
        case "start":
          reset();
          return NO_FIRES;
        case "text_delta":
          return pushProse(text, event.contentIndex, event.delta);
        case "thinking_delta":
          return pushProse(thinking, event.contentIndex, event.delta);
        case "toolcall_start": {
          const { contentIndex, id, name } = event;
          const call = beginCall({ contentIndex, toolCallId: id, tool: name });
          if (call !== undefined) calls.set(contentIndex, call);
          return endProse();
        }
        case "toolcall_delta":
          return calls.get(event.contentIndex)?.push(event.delta) ?? NO_FIRES;
        case "toolcall_end":
          return endCall(event.contentIndex, event.toolCall.arguments);
        case "done": {
          const unended = [...calls.keys()].flatMap((contentIndex) => {
            const block = event.message.content[contentIndex];
            return endCall(contentIndex, block?.type === "toolCall" ? block.arguments : undefined);
          });
          return joined(endProse(), unended);
        }
        case "error":
          return NO_FIRES;
      }
    },
    takeGaveUp() {
      const fromCalls = [...calls.values()].flatMap((call) => call.takeGaveUp());
      return [...gaveUp.splice(0), ...text.takeGaveUp(), ...thinking.takeGaveUp(), ...fromCalls];
    },
  };
}

function joined(first: readonly WatchFire[], second: readonly WatchFire[]): readonly WatchFire[] {
  if (first.length === 0) return second;
  return second.length === 0 ? first : [...first, ...second];
}
