// The facts of a branch in one pass: each entry is looked at once, in order, and let go. collect-messages.ts and the
// collectors keep what they need in collect-state.ts; facts.ts says what comes out.

import { isObject, stringAt } from "../../base/json.ts";
import { textOf } from "../../model/messages.ts";
import { decodeMessage } from "../../session/decode-message.ts";
import type {
  CompactionEntry,
  CustomEntry,
  CustomMessageEntry,
  Entry,
  SessionHeader,
} from "../../session/entry.ts";
import type { Session } from "../../session/session.ts";
import { walkBranch } from "../../session/tree.ts";
import { keepSecrets, type Redact } from "../redact.ts";
import { documentIn } from "../transfer.ts";
import { createTurns } from "../turns.ts";
import { apiErrorText } from "./collect-incidents.ts";
import {
  isQuiet,
  putOff,
  takeCommand,
  takeInterruption,
  takeMessage,
  takeQuietResult,
  takeUnread,
} from "./collect-messages.ts";
import { type CollectState, factsOf, newCollectState } from "./collect-state.ts";
import type { Facts } from "./facts.ts";
import { quietResult } from "./quiet-result.ts";

/**
 * The facts of entries, root first. They are walked once and nothing of them is kept. `redact` sees every text before it
 * is cut, so that no half of a secret stays.
 */
export function collectFacts(
  header: SessionHeader,
  entries: Iterable<Entry>,
  redact: Redact = keepSecrets,
): Facts {
  const state = newCollectState(header, redact);
  for (const entry of entries) takeEntry(state, entry);
  return factsOf(state);
}

/** Types of entries that have no facts: their lines are not even decoded. */
const WITHOUT_FACTS = new Set(["model_change", "thinking_level_change", "label"]);

/**
 * The facts of a session's active branch, the same as `collectFacts` gives. Lines are decoded only where their content
 * matters, since most of a session's bytes are what files and tools said; and of a message only the message. Throws the
 * signal's reason.
 */
export async function collectSession(
  session: Session,
  redact: Redact = keepSecrets,
  signal?: AbortSignal,
): Promise<Facts> {
  const state = newCollectState(session.header, redact);
  let lastMessage = -1;
  const turns = createTurns(signal);
  for (const index of walkBranch(session).indices) {
    const type = session.typeAt(index);
    const before = state.messages;
    const bytes = session.bytesAt(index);
    if (turns.isOver(bytes?.length ?? 0)) await turns.next();
    if (WITHOUT_FACTS.has(type)) count(state);
    else if (type !== "message" || !takeLine(state, bytes, index)) {
      takeEntry(state, session.entryAt(index));
    }
    if (state.messages > before) lastMessage = index;
  }
  if (lastMessage >= 0) state.lastTimestamp = session.entryAt(lastMessage).timestamp;
  for (const run of state.unread.drain()) {
    if (turns.isOver(session.bytesAt(run.index)?.length ?? 0)) await turns.next();
    const entry = session.entryAt(run.index);
    if (entry.type === "message" && entry.message.role === "toolResult")
      takeUnread(state, run, { entryId: entry.id, result: entry.message });
  }
  return factsOf(state);
}

const decoder = new TextDecoder();

/** Takes a message from its line. False where the line is not what a message's line is, or is not there. */
function takeLine(state: CollectState, bytes: Uint8Array | undefined, index: number): boolean {
  if (bytes === undefined) return false;
  // Results come while calls wait for them; no other line has to be looked at for one.
  const quiet = state.pending.size === 0 ? undefined : quietResult(bytes);
  if (quiet !== undefined && isQuiet(state, quiet)) {
    takeQuietResult(state, quiet);
    return true;
  }
  if (quiet !== undefined && putOff(state, quiet, index)) return true;
  const line = parseLine(bytes);
  const id = isObject(line) ? stringAt(line, "id") : undefined;
  const timestamp = isObject(line) ? stringAt(line, "timestamp") : undefined;
  if (!isObject(line) || id === undefined || timestamp === undefined) return false;
  const message = decodeMessage(line["message"], timestamp);
  if (!("value" in message) || line["discarded"] === true) return false;
  count(state);
  takeMessage(state, id, message.value);
  return true;
}

/** The value of a line of the index, which has looked already how deeply it is nested. */
function parseLine(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

function count(state: CollectState): void {
  state.entries += 1;
  state.order += 1;
}

function takeEntry(state: CollectState, entry: Entry): void {
  count(state);
  switch (entry.type) {
    case "message":
      // What a rule made void is on the branch only where the write behind it was cut off.
      if (entry.discarded === true) return;
      takeMessage(state, entry.id, entry.message);
      if (!state.inHandoff) state.lastTimestamp = entry.timestamp;
      return;
    case "custom_message":
      takeCustomMessage(state, entry);
      return;
    case "compaction":
      takeCompaction(state, entry);
      return;
    case "branch_summary":
      if (entry.summary !== "")
        state.summaries.push({
          kind: "branch",
          text: entry.summary,
          messagesBefore: state.messages,
          entryId: entry.id,
        });
      return;
    case "custom":
      takeCustom(state, entry);
      return;
    case "session_info":
      state.name = entry.name;
      return;
    case "ttsr_injection":
      state.incidents.rulesFired(entry.injectedRules, entry.id);
      return;
    case "model_change":
    case "thinking_level_change":
    case "label":
    case "unknown":
      return;
  }
}

function takeCustom(state: CollectState, { customType, data, id }: CustomEntry): void {
  if (INTERRUPTIONS.has(customType)) takeInterruption(state, id);
  if (customType === "claude:system:api_error") state.incidents.modelFailed(apiErrorText(data), id);
  if (customType === "git" && isObject(data))
    state.git.told(stringAt(data, "branch"), stringAt(data, "commit"), id);
}

/** What conversions make of an agent's own note that the user stopped it. */
const INTERRUPTIONS = new Set(["claude:interrupted", "codex:turn_aborted", "copilot:abort"]);

function takeCustomMessage(state: CollectState, entry: CustomMessageEntry): void {
  const text = textOf(entry.content);
  if (INTERRUPTIONS.has(entry.customType)) takeInterruption(state, entry.id);
  if (entry.customType === "claude:command") takeCommand(state, text, entry.id);
  if (entry.customType === "claude:command-output") state.requests.screenAnswered();
  const document = documentIn(entry);
  if (document === undefined) return;
  state.summaries.push({
    kind: "handoff",
    text: document,
    messagesBefore: state.messages,
    entryId: entry.id,
  });
}

/** The last compaction stands for what it covers; an earlier one is inside it. */
function takeCompaction(state: CollectState, entry: CompactionEntry): void {
  if (entry.summary.trim() === "") return;
  state.summaries.splice(0, state.summaries.length, {
    kind: "compaction",
    text: entry.summary,
    messagesBefore: state.messages,
    entryId: entry.id,
  });
}
