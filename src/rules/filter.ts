// A text through the rules, piece by piece. Whatever no rule can claim any more is released at once; the rest is held.

import { createHolding } from "./filter-holding.ts";
import { createPassing } from "./filter-passing.ts";
import type { FilterGaveUp, FilterReport, FilterStep } from "./filter-step.ts";
import type { TtsrRule } from "./register.ts";

/** What a match of a rule of severity `error` does. Rules of severity `warning` are reported and pass. */
export type OnMatch = "stop" | "redact" | "warn";

export interface FilterOptions {
  /** Those that watch text are used. */
  readonly rules: readonly TtsrRule[];
  readonly onMatch: OnMatch;
  /** Bytes that may be held. */
  readonly maxHold: number;
}

export interface Filter {
  push(text: string): FilterStep;
  /** The text is over. */
  end(): FilterStep;
  gaveUp(): readonly FilterGaveUp[];
}

/** A filter over one text. */
export function createFilter({ rules, onMatch, maxHold }: FilterOptions): Filter {
  const watching = rules.filter(({ watchesText }) => watchesText);
  const holds = ({ rule }: TtsrRule): boolean => onMatch !== "warn" && rule.severity === "error";
  const passing = createPassing(watching.filter((rule) => !holds(rule)));
  const holding = createHolding(watching.filter(holds), onMatch === "redact" ? "redact" : "stop");
  const joined = (reports: readonly FilterReport[], step: FilterStep): FilterStep =>
    reports.length === 0 ? step : { ...step, reports: [...reports, ...step.reports] };
  /** What a rule did not look at is not let out. */
  const bounded = (step: FilterStep): FilterStep => {
    if (step.end !== undefined) return step;
    if (holding.gaveUp().length > 0) return { ...step, write: "", end: "gaveUp" };
    return holding.heldBytes() > maxHold ? { ...step, end: "overflow" } : step;
  };
  return {
    push: (text) => bounded(joined(passing.push(text), holding.push(text))),
    end: () => bounded(joined(passing.end(), holding.end())),
    gaveUp: () => [...passing.gaveUp(), ...holding.gaveUp()],
  };
}
