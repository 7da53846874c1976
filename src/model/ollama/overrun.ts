// Whether an answer goes on past the tokens that were asked for. A server that keeps to `num_predict` never gets there;
// one that does not must not fill the memory, nor a limit on tokens mean nothing.

import { NO_USAGE, type Usage } from "../messages.ts";
import type { ModelEvent } from "../model.ts";
import type { Chunk } from "./chunk.ts";

/** UTF-16 units. Tokens of text have about 4, of white space a few dozen at most: no answer's average is near this. */
const MOST_UNITS_A_TOKEN = 32;
/** What the token of a chat template or a short answer may be off by. */
const SLACK_UNITS = 4_096;
const UNITS_A_TOKEN = 4;

export interface OverrunWatch {
  /** Takes a chunk and the events it became; true once more has come than `maxTokens` tokens can be. */
  isPast(chunk: Chunk, events: readonly ModelEvent[]): boolean;
  /** What has come, estimated: a server that does not keep to a limit is not asked what it counted. */
  usage(): Usage;
}

/** Watches one answer. */
export function overrunWatch(maxTokens: number): OverrunWatch {
  const most = maxTokens * MOST_UNITS_A_TOKEN + SLACK_UNITS;
  let units = 0;
  return {
    isPast(chunk, events) {
      units += chunk.content.length + chunk.thinking.length;
      for (const event of events) if (event.type === "toolcall_delta") units += event.delta.length;
      return units > most;
    },
    usage() {
      const output = Math.ceil(units / UNITS_A_TOKEN);
      return { ...NO_USAGE, output, totalTokens: output };
    },
  };
}
