// What the model is asked with when a session goes on: messages, model, thinking level and injected rules of a branch.

import type { Message } from "../model/messages.ts";
import type { CompactionEntry, Entry, SessionProblem } from "./entry.ts";
import { problemAt } from "./problems.ts";
import type { InjectedRule, Session, SessionContext } from "./session.ts";
import { walkBranch } from "./tree.ts";

/**
 * Walks the branch that ends at `leafId` (left out: the session's leaf). The last compaction gives its summary first,
 * then the entries from `firstKeptEntryId`, then what follows it.
 */
export function buildSessionContext(session: Session, leafId?: string | null): SessionContext {
  const branch = walkBranch(session, leafId);
  const { entries } = branch;
  const problems: SessionProblem[] = [...branch.problems];
  const compaction = entries.findLastIndex((entry) => entry.type === "compaction");
  const kept = compaction < 0 ? entries : keptEntries(entries, compaction, problems);
  const pairs = kept.flatMap((entry) => {
    const message = contextMessage(entry);
    return message === undefined ? [] : [{ id: entry.id, message }];
  });
  return {
    messages: pairs.map(({ message }) => message),
    entryIds: pairs.map(({ id }) => id),
    ...settingsOf(entries),
    injectedTtsrRules: injectedRules(entries),
    problems,
  };
}

function keptEntries(entries: readonly Entry[], at: number, problems: SessionProblem[]): readonly Entry[] {
  const compaction = entries[at];
  if (compaction?.type !== "compaction") return entries;
  const first = firstKept(entries, at, compaction);
  if (first === undefined)
    problems.push(
      problemAt(
        0,
        "first-kept-missing",
        `compaction ${compaction.id} keeps entries from ${compaction.firstKeptEntryId}, which is not on its branch`,
      ),
    );
  const since =
    first ?? entries.findLastIndex((entry, index) => index < at && entry.type === "compaction") + 1;
  return [
    compaction,
    ...entries.slice(since, at).filter((entry) => entry.type !== "compaction"),
    ...entries.slice(at + 1),
  ];
}

/** Index of the first entry kept; `at` if none is; undefined if the name leads nowhere. */
function firstKept(entries: readonly Entry[], at: number, compaction: CompactionEntry): number | undefined {
  const index = entries.findIndex((entry) => entry.id === compaction.firstKeptEntryId);
  if (index < 0) return undefined;
  const named = entries[index];
  if (index < at && named?.type === "compaction") return firstKept(entries, index, named) ?? index + 1;
  return Math.min(index, at);
}

/** The message that an entry puts into the model's context; undefined for none. */
export function contextMessage(entry: Entry): Message | undefined {
  const timestamp = Date.parse(entry.timestamp);
  switch (entry.type) {
    case "message":
      return entry.message.role === "bashExecution" && entry.message.excludeFromContext === true
        ? undefined
        : entry.message;
    case "custom_message": {
      const { customType, content, display, details } = entry;
      return {
        role: "custom",
        customType,
        content,
        display,
        ...(details === undefined ? {} : { details }),
        timestamp,
      };
    }
    case "branch_summary":
      return entry.summary === ""
        ? undefined
        : { role: "branchSummary", summary: entry.summary, fromId: entry.fromId, timestamp };
    case "compaction":
      return {
        role: "compactionSummary",
        summary: entry.summary,
        tokensBefore: entry.tokensBefore,
        timestamp,
      };
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

function settingsOf(entries: readonly Entry[]): Pick<SessionContext, "model" | "thinkingLevel"> {
  let model: SessionContext["model"];
  let thinkingLevel: string | undefined;
  for (const entry of entries) {
    if (entry.type === "model_change") model = { provider: entry.provider, modelId: entry.modelId };
    else if (entry.type === "thinking_level_change") thinkingLevel = entry.thinkingLevel;
    else if (entry.type === "message" && entry.message.role === "assistant")
      model = { provider: entry.message.provider, modelId: entry.message.model };
  }
  return { model, thinkingLevel };
}

function injectedRules(entries: readonly Entry[]): readonly InjectedRule[] {
  const ages = new Map<string, number>();
  for (const entry of entries) {
    if (entry.type === "ttsr_injection") for (const name of entry.injectedRules) ages.set(name, 0);
    else if (
      entry.type === "message" &&
      entry.message.role === "assistant" &&
      entry.message.stopReason !== "aborted"
    )
      for (const [name, age] of ages) ages.set(name, age + 1);
  }
  return [...ages].map(([name, age]) => ({ name, age }));
}
