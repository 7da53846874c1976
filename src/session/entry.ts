// Entries of a session file (JSON Lines, version 3 of the format that pi and oh-my-pi write).

import type { JsonObject } from "../base/json.ts";
import type { ContentBlock, Message } from "../model/messages.ts";

/** First line of a file. `id` is a UUIDv7; `timestamp` is ISO 8601; members that we do not know are kept. */
export interface SessionHeader {
  readonly type: "session";
  readonly version: 3;
  readonly id: string;
  readonly timestamp: string;
  readonly cwd: string;
  /** Id of the session that this one came from; a path is accepted when reading. */
  readonly parentSession?: string;
  readonly title?: string;
  readonly [extra: string]: unknown;
}

/** What every entry has: `id` is unique in its file, `parentId` names an earlier entry or is null, `timestamp` is ISO 8601. */
interface EntryBase {
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
}

export interface MessageEntry extends EntryBase {
  readonly type: "message";
  readonly message: Message;
  /**
   * A rule discarded it: it is no part of any branch, not even where it is the last whole line of a file whose writer was
   * killed within the write that leads away from it.
   */
  readonly discarded?: true;
}

/** In the model's context as a user message. */
export interface CustomMessageEntry extends EntryBase {
  readonly type: "custom_message";
  readonly customType: string;
  readonly content: string | readonly ContentBlock[];
  readonly display: boolean;
  readonly details?: unknown;
}

/** Data of a program; never in the model's context. */
export interface CustomEntry extends EntryBase {
  readonly type: "custom";
  readonly customType: string;
  readonly data?: unknown;
}

export interface CompactionEntry extends EntryBase {
  readonly type: "compaction";
  readonly summary: string;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
  readonly details?: unknown;
}

export interface BranchSummaryEntry extends EntryBase {
  readonly type: "branch_summary";
  readonly fromId: string;
  readonly summary: string;
  readonly details?: unknown;
}

/** Names of rules whose reminders were injected; restores rule state when the session goes on. */
export interface TtsrInjectionEntry extends EntryBase {
  readonly type: "ttsr_injection";
  readonly injectedRules: readonly string[];
}

/** Decoded from `provider`+`modelId` or from `model: "provider/id"`. */
export interface ModelChangeEntry extends EntryBase {
  readonly type: "model_change";
  readonly provider: string;
  readonly modelId: string;
}

export interface ThinkingLevelChangeEntry extends EntryBase {
  readonly type: "thinking_level_change";
  readonly thinkingLevel: string;
}

export interface LabelEntry extends EntryBase {
  readonly type: "label";
  readonly targetId: string;
  readonly label?: string;
}

export interface SessionInfoEntry extends EntryBase {
  readonly type: "session_info";
  readonly name: string;
}

/** An entry of a type that we do not know, or that lacks what its type needs; `raw` is the whole object as it was read. */
export interface UnknownEntry extends EntryBase {
  readonly type: "unknown";
  readonly originalType: string;
  readonly raw: JsonObject;
}

export type Entry =
  | MessageEntry
  | CustomMessageEntry
  | CustomEntry
  | CompactionEntry
  | BranchSummaryEntry
  | TtsrInjectionEntry
  | ModelChangeEntry
  | ThinkingLevelChangeEntry
  | LabelEntry
  | SessionInfoEntry
  | UnknownEntry;

type WithoutBase<T> = T extends unknown ? Omit<T, keyof EntryBase> : never;

/** An entry that is about to be written: the writer gives it its id and timestamp. */
export type NewEntry = WithoutBase<Exclude<Entry, UnknownEntry>>;

/** Something that a reader found wrong. `line` counts from 1; 0 is the file as a whole. `code` is stable, kebab-case. */
export interface SessionProblem {
  readonly line: number;
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly problem: string;
  readonly advice: string;
}
