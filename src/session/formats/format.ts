// What a foreign session format is to the rest of the program: it recognises its files by their first objects, and its
// converter turns their objects, one after another, into entries. Everything a converter is given is placed or counted.

import type { JsonObject } from "../../base/json.ts";
import type { SessionFormat } from "../session.ts";
import type { ConversionOutput } from "./output.ts";
import type { SourceValue } from "./values.ts";

/** Agents whose sessions can be read, as `--from` names them. */
export const AGENT_NAMES = ["claude", "codex", "opencode", "gemini", "copilot", "pi", "omp"] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

/** A format that is converted while it is read; the `pi-*` formats are ours. */
export type ForeignFormatName = Exclude<SessionFormat, "pi-v1" | "pi-v2" | "pi-v3">;

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
