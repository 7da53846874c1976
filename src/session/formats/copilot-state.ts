// What the conversion of a Copilot CLI file remembers between events.

import { createOrdinals, type Ordinals } from "./ordinals.ts";
import type { ConversionOutput } from "./output.ts";
import { createTurn, type Turn } from "./turn.ts";

export interface CopilotState {
  readonly output: ConversionOutput;
  readonly turn: Turn;
  readonly ordinals: Ordinals;
  ordinal: number;
  model: string;
  /** Calls that an assistant message told, and that have not ended. */
  readonly told: Set<string>;
  placed(entryId: string): void;
}

export function createCopilotState(output: ConversionOutput): CopilotState {
  const ordinals = createOrdinals();
  const state: CopilotState = {
    output,
    ordinals,
    turn: createTurn(output, (id, place) => {
      const event = place.source.value["id"];
      const ordinal = typeof event === "string" ? ordinals.of(event) : undefined;
      if (ordinal !== undefined) ordinals.placed(ordinal, id);
    }),
    ordinal: 0,
    model: "unknown",
    told: new Set(),
    placed: (id) => ordinals.placed(state.ordinal, id),
  };
  return state;
}
