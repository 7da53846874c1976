// Long work on the bytes of a session, done in turns: between two of them signals come in, and the memory of what was let
// go is given back.

import { setImmediate } from "node:timers/promises";

const BYTES_IN_A_TURN = 8_000_000;

export interface Turns {
  /** Counts bytes that are about to be read; true when the turn is over. */
  isOver(bytes: number): boolean;
  /** Lets the system have its turn, and begins another. Rejects with the signal's reason. */
  next(): Promise<void>;
}

export function createTurns(signal: AbortSignal | undefined): Turns {
  let left = BYTES_IN_A_TURN;
  return {
    isOver(bytes) {
      left -= bytes;
      return left < 0;
    },
    async next() {
      left = BYTES_IN_A_TURN;
      await setImmediate();
      signal?.throwIfAborted();
    },
  };
}
