// What a conversion yields, and what it tells about it: everything in the source is in an entry or in a count.

import type { Entry, SessionHeader, SessionProblem } from "../entry.ts";
import type { SessionFormat } from "../session.ts";

/** Why source objects are not in the converted session: the same is there in another form, or there is no place for it. */
export type CountReason =
  | "repeats"
  | "bookkeeping"
  | "more of the same"
  | "too large"
  | "dropped on request"
  | "no place"
  | "empty";

export interface CountedKind {
  /** The source's own word, `event_msg:token_count`. */
  readonly kind: string;
  readonly reason: CountReason;
  readonly count: number;
}

/** Messages by role. */
export interface MessageCounts {
  readonly total: number;
  readonly user: number;
  readonly assistant: number;
  readonly toolResult: number;
  readonly other: number;
}

/** What a conversion did with a file. Printed by `session convert` and `session check`. */
export interface ConversionReport {
  readonly format: SessionFormat;
  /** Version of the agent that wrote the file, as it says; `undefined` where it does not. */
  readonly writtenBy: string | undefined;
  /** Objects that the source held. */
  readonly objects: number;
  readonly messages: MessageCounts;
  readonly calls: number;
  readonly callsWithoutResult: number;
  readonly resultsWithoutCall: number;
  readonly compactions: number;
  /** Rewinds: entries whose parent is not the entry before them. */
  readonly branches: number;
  /** Objects that became `custom` entries, by `customType`. */
  readonly kept: readonly { readonly customType: string; readonly count: number }[];
  /** Objects that are not in the converted session. */
  readonly counted: readonly CountedKind[];
  /** Lines that could not be read, and values that were not what they must be; at most 100, the rest in `moreProblems`. */
  readonly problems: readonly SessionProblem[];
  readonly moreProblems: number;
}

/** What a conversion yields: the header once and first, then the entries in order, then the report once and last. */
export type Converted =
  | { readonly kind: "header"; readonly header: SessionHeader }
  | { readonly kind: "entry"; readonly entry: Entry; readonly line: number }
  | { readonly kind: "report"; readonly report: ConversionReport };

/** The same as lines of a file: `bytes` is one line without its newline; the header is the first. The report comes once, last. */
export type ConvertedLine =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  | { readonly kind: "report"; readonly report: ConversionReport };
