// Where a conversation may be cut: never between a tool call and its result.

import { type Message, toolCallsOf } from "../model/messages.ts";

/**
 * The index from which messages are kept, so that their sizes are at most `budget` in all; never 0, and at least the
 * last message stays. Undefined if there is no place to cut.
 */
export function findCutPoint(
  messages: readonly Message[],
  budget: number,
  sizeOf: (message: Message) => number,
): number | undefined {
  const allowed = cutPoints(messages);
  let size = 0;
  let found: number | undefined;
  for (let index = messages.length - 1; index > 0; index--) {
    const message = messages[index];
    if (message === undefined) break;
    size += sizeOf(message);
    if (!allowed.has(index)) continue;
    if (size > budget && found !== undefined) return found;
    found = index;
    if (size > budget) return found;
  }
  return found;
}

/** The indices before which no call is without its result. Ids may repeat: a call's result comes before the next answer. */
function cutPoints(messages: readonly Message[]): ReadonlySet<number> {
  const points = new Set<number>();
  let open = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role === "assistant") {
      points.add(index);
      open = new Set(toolCallsOf(message).map((call) => call.id));
      return;
    }
    if (message.role === "toolResult") open.delete(message.toolCallId);
    else if (open.size === 0) points.add(index);
  });
  return points;
}
