// Output of running tools on its way to whoever reads the events. Bounded: what a reader that is too slow has not
// taken is joined, and beyond the bound left out; the whole output is the tool's result.

import { cutAt } from "../base/text.ts";

/** UTF-16 units that wait for the reader, of one call. */
const MAX_WAITING = 65_536;

export interface ToolUpdate {
  readonly toolCallId: string;
  readonly delta: string;
}

export interface UpdateQueue extends AsyncIterable<ToolUpdate> {
  push(update: ToolUpdate): void;
  /** Nothing more comes; what waits is still given. */
  close(): void;
}

/** An empty queue for one reader. */
export function createUpdateQueue(): UpdateQueue {
  const waiting = new Map<string, string>();
  let closed = false;
  let wake = () => {};
  return {
    push({ toolCallId, delta }) {
      const before = waiting.get(toolCallId) ?? "";
      if (closed || delta === "" || before.length >= MAX_WAITING) return;
      waiting.set(toolCallId, before + cutAt(delta, MAX_WAITING - before.length));
      wake();
    },
    close() {
      closed = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        for (const [toolCallId, delta] of waiting) {
          waiting.delete(toolCallId);
          yield { toolCallId, delta };
        }
        if (closed && waiting.size === 0) return;
        if (waiting.size > 0) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
