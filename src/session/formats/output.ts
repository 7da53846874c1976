// Where a converter puts what it finds: entries with ids, parents and times, and counts of what has no place. Ids come
// from line and content and are unique in the file, so that every reading gives the same. Nothing is lost in here.

import type { JsonObject } from "../../base/json.ts";
import type { ContentBlock, Message } from "../../model/messages.ts";
import type { ProblemCode } from "../problems.ts";
import type { CountReason } from "./report.ts";
import type { SourceValue } from "./values.ts";

/** Members of the header that a source tells, whenever it tells them. */
export interface HeaderFacts {
  readonly id?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
  readonly parentSession?: string | undefined;
  readonly writtenBy?: string | undefined;
}

export interface GitFacts {
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
  readonly repository?: string | undefined;
}

/** Where and when something stood in the source. Without a usable timestamp, the last one known is taken. */
export interface Place {
  readonly source: SourceValue;
  readonly timestamp?: string | undefined;
}

export interface CompactionFacts {
  readonly summary: string;
  readonly tokensBefore: number;
  /** Id of the first entry before the compaction that stays in the context; left out: none does. */
  readonly firstKeptEntryId?: string | undefined;
  readonly details?: JsonObject | undefined;
}

type WithoutTimestamp<T> = T extends unknown ? Omit<T, "timestamp"> : never;
/** A message as a converter makes it; its time is its place's. */
export type MessageDraft = WithoutTimestamp<Message>;

export interface InjectedText {
  readonly customType: string;
  readonly content: string | readonly ContentBlock[];
  /** Whether a reader of the session wants to see it. */
  readonly display: boolean;
}

export interface ConversionOutput {
  /**
   * Before the first entry these go into the header; a later directory or title becomes an entry where it differs. An
   * object that tells facts and nothing else is `held()` besides.
   */
  header(facts: HeaderFacts, place: Place): void;
  /** A `custom` entry of type `git`, when it differs from the last. */
  git(facts: GitFacts, place: Place): void;
  /** A `model_change`, when it differs from the last. */
  model(provider: string, modelId: string, place: Place): void;
  thinkingLevel(level: string, place: Place): void;
  /** Gives the entry's id. */
  message(draft: MessageDraft, place: Place): string;
  /** What the model was given and no person typed: a `custom_message`. */
  injected(text: InjectedText, place: Place): string;
  compaction(facts: CompactionFacts, place: Place): string;
  /** A `custom` entry; one that is too large, or the 101st of its kind, is counted instead. */
  custom(customType: string, data: unknown, place: Place): void;
  /** The same for later: what places the entry; undefined for one that was counted, of which nothing need be kept. */
  deferCustom(customType: string, data: unknown, place: Place): (() => void) | undefined;
  /** A subagent's message: a `custom` entry, or counted where subagents are dropped. */
  subagent(customType: string, data: unknown, place: Place): void;
  /** An object that is not in the converted session, and why. */
  count(kind: string, reason: CountReason): void;
  /** The object is held back for a message that is not complete, or was part of one. */
  held(): void;
  problem(code: ProblemCode, problem: string, place: Place): void;
  /** The next entry's parent: a real rewind. */
  rewindTo(parentId: string | null): void;
  /** A call was placed; its result will carry the tool's name. */
  openCall(id: string, name: string): void;
  /** The tool's name of an open call, which is then closed; `undefined` for a result without a call. */
  closeCall(id: string): string | undefined;
  /** The last entry; null before the first. */
  readonly leafId: string | null;
}
