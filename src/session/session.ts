// What a session is to the rest of the program: an indexed list of entries that form a tree. Whoever has a Session
// can read it; nobody changes one. New entries are appended through a SessionWriter (writer.ts).

import type { Message } from "../model/messages.ts";
import type { Entry, NewEntry, SessionHeader, SessionProblem } from "./entry.ts";

/** Where a session's lines came from. `pi-*` are our own format's versions; the others are converted while reading. */
export type SessionFormat =
  | "pi-v1"
  | "pi-v2"
  | "pi-v3"
  | "claude"
  | "codex-v1"
  | "codex-v2"
  | "codex-v3"
  | "opencode"
  | "gemini"
  | "copilot";

/** One row of the index: what is known of an entry without decoding the rest of its line. */
export interface IndexRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  /** Line in the source, from 1. */
  readonly line: number;
}

export interface Session {
  readonly header: SessionHeader;
  readonly format: SessionFormat;
  /** Absolute path; undefined for a session from stdin or in memory. */
  readonly path: string | undefined;
  /** How many bytes were read for it. */
  readonly sourceBytes: number;
  /** In the order of lines, then what decoding found; grows while entries are decoded. */
  readonly problems: readonly SessionProblem[];
  /** Number of entries, the header not counted. */
  readonly size: number;
  /**
   * The last entry in the file, or, where that is a message that a rule discarded, the one that it hangs on; null for a
   * session without entries.
   */
  readonly leafId: string | null;
  /** The row of the n-th entry, in file order, from 0. */
  row(index: number): IndexRow;
  /** Type of the n-th entry. */
  typeAt(index: number): string;
  /** Whether the n-th entry is an answer of the model that was not aborted; told without decoding it. */
  isAnswerAt(index: number): boolean;
  /** Which entry the n-th hangs on: -1 for a root. A link that cannot be followed leads to the entry before in the file. */
  parentAt(index: number): number;
  /** What is wrong with the n-th entry's link to its parent. */
  linkProblem(index: number): SessionProblem | undefined;
  /** Where an id stands; of a reused id, the last place. */
  indexOf(id: string): number | undefined;
  /** Decodes the n-th entry. A line that turns out not to be JSON is a `custom` entry, `unreadable`, and a problem. */
  entryAt(index: number): Entry;
  /** Decodes one entry; undefined for an id that the file does not have. */
  entry(id: string): Entry | undefined;
  /**
   * The n-th entry's line for a file of version 3, without newline: the bytes as they were read wherever that is sound.
   */
  lineAt(index: number): Uint8Array;
  /**
   * The n-th entry's line as it was read, not looked at, without newline; undefined where the entry does not come from a
   * line of version 3.
   */
  bytesAt(index: number): Uint8Array | undefined;
  /** Decodes all entries one after another, in file order. */
  entries(): Iterable<Entry>;
}

/** A rule that was injected on the branch, and how many assistant messages that were not aborted came since. */
export interface InjectedRule {
  readonly name: string;
  readonly age: number;
}

/** What the model is asked with when the session goes on. */
export interface SessionContext {
  readonly messages: readonly Message[];
  /** Ids of the entries that the messages come from, one a message. */
  readonly entryIds: readonly string[];
  /** `provider` and `modelId` of the last model change or assistant message on the branch. */
  readonly model: { readonly provider: string; readonly modelId: string } | undefined;
  readonly thinkingLevel: string | undefined;
  readonly injectedTtsrRules: readonly InjectedRule[];
  /** What the walk found: a cycle, a missing parent, a reused id. */
  readonly problems: readonly SessionProblem[];
}

/**
 * An entry to append: `parentId` left out means "after the last one written"; `id` left out means a new one. A compaction
 * that keeps nothing has an empty `firstKeptEntryId`; it is written with its own id there.
 */
export type AppendEntry = NewEntry & { readonly id?: string; readonly parentId?: string | null };

/**
 * The one way to add to a session. A writer holds the session's lock until `close()`; one in memory holds none.
 * `append()` puts all its entries into one write and returns when the system has them: they survive `kill -9`.
 * It throws `AppError` (`failed`) when the write fails; the writer is then unusable.
 */
export interface SessionWriter {
  readonly header: SessionHeader;
  /** Absolute path; undefined in memory. */
  readonly path: string | undefined;
  /** The entry that the next append goes after. */
  readonly leafId: string | null;
  append(entries: readonly AppendEntry[]): readonly Entry[];
  /** Everything so far as JSONL text, header first: what `--output session` prints. */
  lines(): AsyncIterable<Uint8Array>;
  /** Syncs what was written to the disk; throws `AppError` (`failed`) where that fails. Nothing in memory. */
  flush(): void;
  /**
   * Syncs as `flush` does, unless a write has failed before, closes the file and gives the lock back, also where the sync
   * fails and it throws. Safe to call twice.
   */
  close(): void;
}
