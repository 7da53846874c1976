// Agent events → session entries: the only place that knows both. An entry is written when its message ends; what
// belongs together (an interrupted message, its reminder, the names of the rules) goes into one write.

import type { AgentEvent, BranchEvent } from "../agent/events.ts";
import type { Message } from "../model/messages.ts";
import type { AppendEntry, SessionWriter } from "../session/session.ts";

export interface Recorder {
  /** Writes what the event says; when it returns, that survives the process. Throws what the writer throws. */
  record(event: AgentEvent): void;
}

/**
 * Records on `writer`. `contextIds` are the ids of the entries that the run's history was made from, one a message: a
 * compaction names the first that it keeps.
 */
export function createRecorder(writer: SessionWriter, contextIds: readonly string[] = []): Recorder {
  const written = new WeakSet<Message>();
  let ids = [...contextIds];
  const append = (entries: readonly AppendEntry[]) => writer.append(entries).map((entry) => entry.id);
  return {
    record(event) {
      switch (event.type) {
        case "message_end":
          if (event.discarded === true || written.has(event.message)) return;
          ids.push(...append([entryOf(event.message)]));
          return;
        case "branch": {
          const { entries, carried, left } = branchEntries(event, writer.leafId);
          for (const message of carried) written.add(message);
          ids.push(...append(entries).slice(left, -1));
          return;
        }
        case "compaction_end": {
          const kept = event.keptMessages === 0 ? [] : ids.slice(-event.keptMessages);
          ids = [...append([compactionEntry(event, kept[0] ?? "")]), ...kept];
          return;
        }
        default:
          return;
      }
    },
  };
}

/** The entry of a message: what a program says beside the conversation has a type of its own in the file. */
function entryOf(message: Message): AppendEntry {
  if (message.role !== "custom") return { type: "message", message };
  const { customType, content, display, details } = message;
  return {
    type: "custom_message",
    customType,
    content,
    display,
    ...(details === undefined ? {} : { details }),
  };
}

interface Branching {
  readonly entries: readonly AppendEntry[];
  /** The messages that are in them. */
  readonly carried: readonly Message[];
  /** How many of the first ones are on the branch that was left. The last one, the rules' names, is no message. */
  readonly left: number;
}

/**
 * With `discard` the reminder goes after the entry before the partial message: the session has gone back in time. The
 * partial message is marked, so that a write which ends within it (the process was killed) brings it back to nobody.
 */
function branchEntries(event: BranchEvent, leafId: string | null): Branching {
  const { partial, results, reminder, injectedRules } = event;
  const reminded = entryOf(reminder);
  const names: AppendEntry = { type: "ttsr_injection", injectedRules };
  const carried = [...(partial === undefined ? [] : [partial]), ...results, reminder];
  if (event.mode === "keep" || partial === undefined) {
    return { entries: [...carried.map(entryOf), names], carried, left: 0 };
  }
  const discarded: AppendEntry = { type: "message", message: partial, discarded: true };
  return { entries: [discarded, { ...reminded, parentId: leafId }, names], carried, left: 1 };
}

function compactionEntry(
  event: AgentEvent & { readonly type: "compaction_end" },
  firstKeptEntryId: string,
): AppendEntry {
  const { summary, tokensBefore } = event;
  return { type: "compaction", summary, tokensBefore, firstKeptEntryId };
}
