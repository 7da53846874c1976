// What a foreign session format is to the rest of the program: it recognises its files by their first objects, and its
// converter turns their objects, one after another, into entries. Everything a converter is given is placed or counted.

import type { JsonObject } from "../../base/json.ts";
import type { Entry, SessionHeader, SessionProblem } from "../entry.ts";
import type { SessionFormat } from "../session.ts";
import type { ConversionOutput } from "./output.ts";

/** Agents whose sessions can be read, as `--from` names them. */
export const AGENT_NAMES = ["claude", "codex", "opencode", "gemini", "copilot", "pi", "omp"] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

/** A format that is converted while it is read; the `pi-*` formats are ours. */
export type ForeignFormatName = Exclude<SessionFormat, "pi-v1" | "pi-v2" | "pi-v3">;

/** One object of a source. `line` is where it starts, from 1; `text` is its source text, as far as one was at hand. */
export interface SourceValue {
  readonly value: JsonObject;
  readonly line: number;
  readonly text: string;
}

/** The first objects of a file, in order; the last one may be incomplete (its members up to the cut are there). */
export type Head = readonly JsonObject[];

export interface ConversionOptions {
  /** What becomes of subagents' messages: `custom` entries, or counted only. */
  readonly subagents: "keep" | "drop";
  /** The bytes of a subagent's own file, by the subagent's id; undefined where it has none, or none can be looked for. */
  readonly subagentFile?: (agentId: string) => AsyncIterable<Uint8Array> | undefined;
}

export const DEFAULT_CONVERSION: ConversionOptions = { subagents: "keep" };

/** A converter's state over one file. `push` never throws for any value; `end` places what was still held back. */
export interface Converter {
  push(source: SourceValue): void;
  end(): void;
  /** Ids of subagents whose messages are in files of their own, once all was pushed. */
  subagents?(): readonly string[];
  /** One object of such a file. */
  pushSubagent?(agentId: string, source: SourceValue): void;
}

export interface ForeignFormat {
  readonly name: ForeignFormatName;
  /** Where a file can be one document: the member that holds its messages. Such a file is read whole. */
  readonly documentMember: "messages" | "items" | undefined;
  /** Whether an object at a file's beginning is one that only this format writes. */
  recognise(object: JsonObject): boolean;
  converter(output: ConversionOutput): Converter;
}

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

/** What a conversion did with a file. Printed by `session convert` and `session check`. */
export interface ConversionReport {
  readonly format: SessionFormat;
  /** Version of the agent that wrote the file, as it says; `undefined` where it does not. */
  readonly writtenBy: string | undefined;
  /** Objects that the source held. */
  readonly objects: number;
  readonly messages: {
    readonly total: number;
    readonly user: number;
    readonly assistant: number;
    readonly toolResult: number;
    readonly other: number;
  };
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
