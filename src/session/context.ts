// What the model is asked with when a session goes on: messages, model, thinking level and injected rules of a branch.
// Only the entries that are needed for it are decoded.

import { stringAt } from "../base/json.ts";
import type { Message } from "../model/messages.ts";
import type { Entry, SessionProblem } from "./entry.ts";
import { problemAt } from "./problems.ts";
import type { InjectedRule, Session, SessionContext } from "./session.ts";
import { walkBranch } from "./tree.ts";

/**
 * Walks the branch that ends at `leafId` (left out: the session's leaf). The last compaction gives its summary first,
 * then the entries from `firstKeptEntryId`, then what follows it.
 */
export function buildSessionContext(session: Session, leafId?: string | null): SessionContext {
  const walk = walkBranch(session, leafId);
  const problems: SessionProblem[] = [...walk.problems];
  const branch = decodingBranch(session, walk.indices);
  const messages: Message[] = [];
  const entryIds: string[] = [];
  for (const position of contextPositions(branch, problems)) {
    const entry = branch.entry(position);
    const message = contextMessage(entry);
    if (message === undefined) continue;
    messages.push(message);
    entryIds.push(entry.id);
  }
  return {
    messages,
    entryIds,
    model: modelOf(branch, session),
    thinkingLevel: thinkingLevelOf(branch, session),
    injectedTtsrRules: injectedRules(branch),
    problems,
  };
}

/** A branch whose entries are decoded once, when they are looked at. Positions count from the root, 0. */
interface DecodingBranch {
  readonly length: number;
  type(position: number): string;
  isAnswer(position: number): boolean;
  entry(position: number): Entry;
  line(position: number): number;
  /** Position of an id; of its nearest ancestor on the branch, plus one, if it stands elsewhere; undefined if nowhere. */
  find(id: string): number | undefined;
}

function decodingBranch(session: Session, indices: readonly number[]): DecodingBranch {
  const decoded = new Map<number, Entry>();
  /** By number in the file: position on the branch plus one; 0 for an entry that is not on it. */
  let places: Int32Array | undefined;
  const index = (position: number) => indices[position] ?? -1;
  /** Asked for several times each. */
  const types = indices.map((at) => session.typeAt(at));
  return {
    length: indices.length,
    type: (position) => types[position] ?? "",
    isAnswer: (position) => session.isAnswerAt(index(position)),
    line: (position) => session.row(index(position)).line,
    entry(position) {
      const known = decoded.get(position);
      if (known !== undefined) return known;
      const entry = session.entryAt(index(position));
      decoded.set(position, entry);
      return entry;
    },
    find(id) {
      const at = session.indexOf(id);
      if (at === undefined) return undefined;
      places ??= placesOf(indices, session.size);
      const place = places[at] ?? 0;
      if (place > 0) return place - 1;
      for (const ancestor of walkBranch(session, id).indices.toReversed()) {
        const fork = places[ancestor] ?? 0;
        if (fork > 0) return fork;
      }
      return undefined;
    },
  };
}

function placesOf(indices: readonly number[], size: number): Int32Array {
  const places = new Int32Array(size);
  for (let position = 0; position < indices.length; position++) places[indices[position] ?? 0] = position + 1;
  return places;
}

/** The positions whose messages are the context, in the order in which the model gets them. */
function contextPositions(branch: DecodingBranch, problems: SessionProblem[]): readonly number[] {
  const at = lastCompaction(branch, branch.length);
  if (at < 0) return range(0, branch.length);
  const first = firstKept(branch, at);
  if (first === undefined) problems.push(firstKeptMissing(branch, at));
  const since = first ?? lastCompaction(branch, at) + 1;
  const kept = range(since, at).filter((position) => branch.type(position) !== "compaction");
  return [at, ...kept, ...range(at + 1, branch.length)];
}

/** Position of the last compaction before `end` that can be used; -1 for none. */
function lastCompaction(branch: DecodingBranch, end: number): number {
  for (let position = end - 1; position >= 0; position--)
    if (branch.type(position) === "compaction" && branch.entry(position).type === "compaction")
      return position;
  return -1;
}

/**
 * Position of the first entry that a compaction keeps; its own position if it keeps none. One that names a compaction
 * before it keeps what that one kept. Undefined if the name leads nowhere.
 */
function firstKept(branch: DecodingBranch, at: number): number | undefined {
  for (let compaction = at; ; ) {
    const entry = branch.entry(compaction);
    if (entry.type !== "compaction") return compaction;
    const position = branch.find(entry.firstKeptEntryId);
    // A name that leads nowhere further back: what the compaction before was asked to keep begins with itself.
    if (position === undefined) return compaction === at ? undefined : compaction;
    if (position >= compaction) return compaction;
    const named = branch.entry(position);
    if (named.type !== "compaction" || named.id !== entry.firstKeptEntryId) return position;
    compaction = position;
  }
}

function firstKeptMissing(branch: DecodingBranch, at: number): SessionProblem {
  const compaction = branch.entry(at);
  const name = compaction.type === "compaction" ? compaction.firstKeptEntryId : "";
  return problemAt(
    branch.line(at),
    "first-kept-missing",
    name === ""
      ? "the compaction does not say which entry it keeps first"
      : `the compaction keeps entries from "${name}", which is not in the file`,
  );
}

function range(start: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);
}

/** The message that an entry puts into the model's context; undefined for none. */
function contextMessage(entry: Entry): Message | undefined {
  const timestamp = Date.parse(entry.timestamp);
  switch (entry.type) {
    case "message": {
      const { message } = entry;
      if (entry.discarded === true) return undefined;
      return message.role === "bashExecution" && message.excludeFromContext === true ? undefined : message;
    }
    case "custom_message": {
      const { customType, content, display, details } = entry;
      const more = details === undefined ? {} : { details };
      return { role: "custom", customType, content, display, ...more, timestamp };
    }
    case "branch_summary": {
      const { summary, fromId } = entry;
      return summary === "" ? undefined : { role: "branchSummary", summary, fromId, timestamp };
    }
    case "compaction": {
      const { summary, tokensBefore } = entry;
      return { role: "compactionSummary", summary, tokensBefore, timestamp };
    }
    case "custom":
    case "ttsr_injection":
    case "model_change":
    case "thinking_level_change":
    case "label":
    case "session_info":
    case "unknown":
      return undefined;
  }
}

/** The last model change or assistant message; before both, what a version 1 header says. */
function modelOf(branch: DecodingBranch, session: Session): SessionContext["model"] {
  for (let position = branch.length - 1; position >= 0; position--) {
    const type = branch.type(position);
    if (type !== "model_change" && type !== "message") continue;
    const entry = branch.entry(position);
    if (entry.type === "model_change") return { provider: entry.provider, modelId: entry.modelId };
    if (entry.type === "message" && entry.message.role === "assistant")
      return { provider: entry.message.provider, modelId: entry.message.model };
  }
  const provider = stringAt(session.header, "provider");
  const modelId = stringAt(session.header, "modelId");
  return provider === undefined || modelId === undefined ? undefined : { provider, modelId };
}

function thinkingLevelOf(branch: DecodingBranch, session: Session): string | undefined {
  for (let position = branch.length - 1; position >= 0; position--) {
    if (branch.type(position) !== "thinking_level_change") continue;
    const entry = branch.entry(position);
    if (entry.type === "thinking_level_change") return entry.thinkingLevel;
  }
  return stringAt(session.header, "thinkingLevel");
}

/**
 * Each rule's age is the number of answers since it was injected last. Only what comes after the oldest of these is looked
 * at: a branch is long, and telling its answers apart takes a look into each line.
 */
function injectedRules(branch: DecodingBranch): readonly InjectedRule[] {
  const last = new Map<string, number>();
  for (let position = 0; position < branch.length; position++) {
    if (branch.type(position) !== "ttsr_injection") continue;
    const entry = branch.entry(position);
    if (entry.type === "ttsr_injection") for (const name of entry.injectedRules) last.set(name, position);
  }
  const oldest = Math.min(...last.values());
  const ages = new Map<number, number>();
  let answers = 0;
  for (let position = branch.length - 1; position >= oldest; position--) {
    if (branch.type(position) === "ttsr_injection") ages.set(position, answers);
    else if (branch.isAnswer(position)) answers += 1;
  }
  return [...last].map(([name, position]) => ({ name, age: ages.get(position) ?? 0 }));
}
