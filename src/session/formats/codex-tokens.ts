// Token counts of Codex CLI: each `token_count` event tells the last request and the sum so far, and comes again when
// nothing changed. A count belongs to one assistant message, whichever of the two is written first.

import type { JsonObject } from "../../base/json.ts";
import type { Usage } from "../../model/messages.ts";
import { usageOf } from "./blocks.ts";
import type { Turn } from "./turn.ts";

export interface TokenCounts {
  told(last: Usage, total: JsonObject | undefined): void;
  /** Gives a count that came before its message to the message that is open now. */
  settle(): void;
  /** Whether a count has found no message. */
  pending(): boolean;
  /** Tokens of the last request: what its context held. */
  context(): number;
}

export function createTokenCounts(turn: Turn): TokenCounts {
  let lastTotal = "";
  let waiting: Usage | undefined;
  let context = 0;
  const settle = () => {
    if (waiting !== undefined && turn.usage(waiting)) waiting = undefined;
  };
  return {
    told(last, total) {
      const key = JSON.stringify(total ?? last);
      if (key === lastTotal) return;
      lastTotal = key;
      context = last.totalTokens;
      settle();
      waiting = waiting === undefined ? last : sum(waiting, last);
      settle();
      // Counted once its calls are answered: what comes next is another request.
      if (turn.state === "answered") turn.end();
    },
    settle,
    pending: () => waiting !== undefined,
    context: () => context,
  };
}

function sum(a: Usage, b: Usage): Usage {
  return usageOf({
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  });
}
