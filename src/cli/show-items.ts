// What `session show` shows: entries of a session put together for reading. A tool call comes with its result, wherever
// the result stands among those that follow it; what a person does not ask for is left out unless all is wanted.

import type { AssistantMessage, ToolCallBlock, ToolResultMessage } from "../model/messages.ts";
import type { Entry } from "../session/entry.ts";
import type { Session } from "../session/session.ts";
import { walkBranch } from "../session/tree.ts";

export interface ShowSelection {
  /** Hidden entries too, and, without `branch`, those of other branches. */
  readonly all: boolean;
  /** The branch that ends at this entry. */
  readonly branch: string | undefined;
}

/** One thing to show. `offBranch`: the entry is not on the branch that the session goes on with. */
export type ShowItem = { readonly entry: Entry; readonly offBranch: boolean } & (
  | { readonly kind: "assistant"; readonly message: AssistantMessage; readonly calls: readonly ShownCall[] }
  | { readonly kind: "entry" }
);

/** A call of an assistant message; `result` is missing where the run ended before the tool did. */
export interface ShownCall {
  readonly call: ToolCallBlock;
  readonly result: ToolResultMessage | undefined;
  readonly resultId: string | undefined;
}

/** Numbers of the entries to show, in the order to show them. */
function selectEntries(session: Session, selection: ShowSelection): readonly number[] {
  if (selection.all && selection.branch === undefined)
    return Array.from({ length: session.size }, (_, index) => index);
  return walkBranch(session, selection.branch).indices;
}

/** The selected entries that are shown, decoded one at a time. */
export function* shownEntries(session: Session, selection: ShowSelection): Generator<Entry, void> {
  for (const index of selectEntries(session, selection)) {
    const entry = session.entryAt(index);
    if (selection.all || isForReading(entry)) yield entry;
  }
}

/** Entries that say something to a reader of the conversation. */
function isForReading(entry: Entry): boolean {
  switch (entry.type) {
    case "message":
      return entry.message.role !== "custom" || entry.message.display;
    case "custom_message":
      return entry.display;
    case "compaction":
      return true;
    case "branch_summary":
      return entry.summary !== "";
    case "custom":
    case "ttsr_injection":
    case "model_change":
    case "thinking_level_change":
    case "label":
    case "session_info":
    case "unknown":
      return false;
  }
}

interface OpenItem {
  readonly entry: Entry;
  readonly message: AssistantMessage;
  readonly calls: ShownCall[];
}

/** The selected entries as items: results are with their calls; one that belongs to no call is an item of its own. */
export function* showItems(session: Session, selection: ShowSelection): Generator<ShowItem, void> {
  const branch = new Set(walkBranch(session).indices.map((index) => session.row(index).id));
  const offBranch = (entry: Entry) => !branch.has(entry.id);
  let open: OpenItem | undefined;
  for (const entry of shownEntries(session, selection)) {
    const message = entry.type === "message" ? entry.message : undefined;
    if (message?.role === "toolResult" && open !== undefined && takeResult(open.calls, message, entry.id))
      continue;
    if (open !== undefined) yield { kind: "assistant", ...open, offBranch: offBranch(open.entry) };
    open = undefined;
    if (message?.role === "assistant") open = { entry, message, calls: callsOf(message) };
    else yield { kind: "entry", entry, offBranch: offBranch(entry) };
  }
  if (open !== undefined) yield { kind: "assistant", ...open, offBranch: offBranch(open.entry) };
}

function callsOf(message: AssistantMessage): ShownCall[] {
  return message.content.flatMap((block) =>
    block.type === "toolCall" ? [{ call: block, result: undefined, resultId: undefined }] : [],
  );
}

function takeResult(calls: ShownCall[], result: ToolResultMessage, resultId: string): boolean {
  const at = calls.findIndex((shown) => shown.result === undefined && shown.call.id === result.toolCallId);
  const shown = calls[at];
  if (shown === undefined) return false;
  calls[at] = { call: shown.call, result, resultId };
  return true;
}
