// Sessions made by us and read by pi, made by pi and read by us, and written by both in turns: entries, branches and the
// model's context are the same on both sides. `run [sessions]`; the last line is "N passed, N failed".

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../src/base/json.ts";
import { decodeEntry } from "../../src/session/codec.ts";
import { buildSessionContext } from "../../src/session/context.ts";
import type { Entry } from "../../src/session/entry.ts";
import { newHeader } from "../../src/session/header.ts";
import { openSession } from "../../src/session/open.ts";
import type { AppendEntry, SessionWriter } from "../../src/session/session.ts";
import { getBranch } from "../../src/session/tree.ts";
import { createSession, resumeSession } from "../../src/session/writer.ts";
import { loadPi, type PiSessionManager } from "./pi.ts";
import { randomSteps, type Step } from "./random-session.ts";

const LOCK = { owner: { pid: process.pid, hostname: "interchange" }, waitMs: 0 };
const SessionManager = await loadPi();

/** What has been done so far: the entries in the order of the file, and where the next one goes. */
interface Progress {
  readonly entries: Entry[];
  parent: string | null;
}

async function ours(directory: string, steps: readonly Step[]): Promise<string> {
  const path = join(directory, "ours.jsonl");
  const writer = await createSession({ path, header: newHeader({ cwd: "/project" }), ...LOCK });
  const progress: Progress = { entries: [], parent: null };
  for (const step of steps) appendOurs(writer, step, progress);
  writer.close();
  return path;
}

function appendOurs(writer: SessionWriter, step: Step, progress: Progress): void {
  if (step.kind === "branch") {
    progress.parent = progress.entries[step.from]?.id ?? null;
    return;
  }
  const fields = fieldsOf(step, progress);
  if (fields === undefined) return;
  const from = step.kind === "branchSummary" ? progress.entries[step.from]?.id : progress.parent;
  const parentId = from ?? null;
  const [entry] = writer.append([{ ...fields, parentId }]);
  if (entry === undefined) throw new Error("nothing was appended");
  progress.entries.push(entry);
  progress.parent = entry.id;
}

/** The entry of a step, through the decoder: the messages of the steps are plain objects. */
function fieldsOf(step: Exclude<Step, { kind: "branch" }>, progress: Progress): AppendEntry | undefined {
  const at = (index: number) => progress.entries[index]?.id ?? "";
  switch (step.kind) {
    case "message": {
      const object = { type: "message", message: step.message };
      const { entry } = decodeEntry(object, { id: "", parentId: null, timestamp: new Date().toISOString() });
      return entry.type === "message" ? { type: "message", message: entry.message } : undefined;
    }
    case "custom":
      return { type: "custom", customType: "x", data: step.data };
    case "customMessage":
      return { type: "custom_message", customType: "x", content: step.text, display: step.display };
    case "compaction": {
      const kept = keptOn(branchOf(progress), step.keptBack);
      return { type: "compaction", summary: step.summary, firstKeptEntryId: kept, tokensBefore: 7 };
    }
    case "model":
      return { type: "model_change", provider: "p", modelId: step.modelId };
    case "thinking":
      return { type: "thinking_level_change", thinkingLevel: step.level };
    case "name":
      return { type: "session_info", name: step.name };
    case "label":
      return {
        type: "label",
        targetId: at(step.target),
        ...(step.label === undefined ? {} : { label: step.label }),
      };
    case "branchSummary":
      return { type: "branch_summary", fromId: progress.parent ?? "root", summary: step.summary };
  }
}

function branchOf({ entries, parent }: Progress): readonly Entry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const path: Entry[] = [];
  for (let at = parent; at !== null; at = path[0]?.parentId ?? null) {
    const entry = byId.get(at);
    if (entry === undefined) throw new Error(`no entry ${at}`);
    path.unshift(entry);
  }
  return path;
}

/**
 * An entry of the branch for a compaction to keep from. Never a compaction: where one is named, pi drops what that one
 * kept and we do not, on purpose; the same where an entry of another branch is named.
 */
function keptOn(branch: readonly { readonly id: string; readonly type: string }[], back: number): string {
  const near = branch.slice(Math.max(0, branch.length - back)).find(({ type }) => type !== "compaction");
  return (near ?? branch.find(({ type }) => type !== "compaction"))?.id ?? "";
}

function appendPi(manager: PiSessionManager, step: Step, ids: string[]): void {
  const at = (index: number) => ids[index] ?? "";
  const add = (id: string) => {
    ids.push(id);
  };
  switch (step.kind) {
    case "message":
      add(manager.appendMessage(step.message));
      return;
    case "custom":
      add(manager.appendCustomEntry("x", step.data));
      return;
    case "customMessage":
      add(manager.appendCustomMessageEntry("x", step.text, step.display));
      return;
    case "compaction":
      add(manager.appendCompaction(step.summary, keptOn(manager.getBranch(), step.keptBack), 7));
      return;
    case "model":
      add(manager.appendModelChange("p", step.modelId));
      return;
    case "thinking":
      add(manager.appendThinkingLevelChange(step.level));
      return;
    case "name":
      add(manager.appendSessionInfo(step.name));
      return;
    case "label":
      add(manager.appendLabelChange(at(step.target), step.label));
      return;
    case "branch":
      manager.branch(at(step.from));
      return;
    case "branchSummary":
      add(manager.branchWithSummary(at(step.from), step.summary));
      return;
  }
}

function pis(directory: string, steps: readonly Step[]): string {
  const manager = SessionManager.create("/project", join(directory, "pi"));
  const ids: string[] = [];
  for (const step of steps) appendPi(manager, step, ids);
  return manager.getSessionFile() ?? "";
}

/** A file that both open and append to, one after the other. */
async function inTurns(directory: string, steps: readonly Step[]): Promise<string> {
  const path = await ours(directory, steps);
  const manager = SessionManager.open(path, directory);
  manager.appendMessage({ role: "user", content: "from pi", timestamp: 1 });
  const { writer } = await resumeSession({ path, ...LOCK });
  writer.append([{ type: "message", message: { role: "user", content: "from us", timestamp: 1 } }]);
  writer.close();
  SessionManager.open(path, directory).appendSessionInfo("a name by pi");
  return path;
}

/** Version 1, as pi wrote it once: no ids, and the first kept entry by its place. */
function versionOne(directory: string, steps: readonly Step[]): string {
  const path = join(directory, "v1.jsonl");
  const timestamp = new Date(1_767_323_045_000).toISOString();
  const lines: object[] = [{ type: "session", id: "old", timestamp, cwd: "/project" }];
  for (const step of steps) {
    if (step.kind === "message") lines.push({ type: "message", timestamp, message: step.message });
    if (step.kind === "model")
      lines.push({ type: "model_change", timestamp, provider: "p", modelId: step.modelId });
    if (step.kind !== "compaction") continue;
    const firstKeptEntryIndex = keptIndex(lines, step.keptBack);
    lines.push({
      type: "compaction",
      timestamp,
      summary: step.summary,
      firstKeptEntryIndex,
      tokensBefore: 7,
    });
  }
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

/** pi drops what an earlier compaction kept when one names that compaction; the two differ there on purpose. */
function keptIndex(lines: readonly object[], back: number): number {
  let index = Math.max(1, lines.length - back);
  while (index < lines.length - 1 && "summary" in (lines[index] ?? {})) index += 1;
  return index;
}

/** Differences between the two readers of one file, in words; none if they agree. `withIds`: the file has them. */
async function differences(path: string, directory: string, withIds: boolean): Promise<readonly string[]> {
  const session = await openSession(path);
  const manager = SessionManager.open(path, directory);
  const found: string[] = session.problems.map(({ line, problem }) => `line ${line}: ${problem}`);
  const compare = (what: string, mine: unknown, theirs: unknown) => {
    const [left, right] = [plain(mine), plain(theirs)];
    if (!isDeepStrictEqual(left, right))
      found.push(`${what} differ:\n  ours ${JSON.stringify(left)}\n  pi   ${JSON.stringify(right)}`);
  };
  compare("ids of the session", session.header.id, manager.getSessionId());
  if (withIds) {
    compare("entries", [...session.entries()].map(asInFile), manager.getEntries());
    compare("leaves", session.leafId, manager.getLeafId());
    compare(
      "branches",
      [...getBranch(session)].map(({ id }) => id),
      manager.getBranch().map(({ id }) => id),
    );
  }
  const { messages, model, thinkingLevel } = buildSessionContext(session);
  const theirs = manager.buildSessionContext();
  compare("messages", messages, theirs.messages);
  compare("models", model ?? null, theirs.model);
  compare("thinking levels", thinkingLevel ?? "off", theirs.thinkingLevel);
  return found;
}

/** As JSON has it: members that are undefined are none. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function asInFile(entry: Entry): object {
  if (entry.type !== "unknown") return entry;
  return isObject(entry.raw) ? entry.raw : {};
}

interface Case {
  readonly name: string;
  make(directory: string, steps: readonly Step[]): Promise<string> | string;
  readonly withIds: boolean;
}

const CASES: readonly Case[] = [
  { name: "ours in pi's reader", make: ours, withIds: true },
  { name: "pi's in our reader", make: pis, withIds: true },
  { name: "written in turns", make: inTurns, withIds: true },
  { name: "version 1 in both", make: versionOne, withIds: false },
];

async function main(count: number): Promise<number> {
  let [passed, failed] = [0, 0];
  for (const { name, make, withIds } of CASES) {
    for (let seed = 1; seed <= count; seed++) {
      const directory = mkdtempSync(join(tmpdir(), "agent-interchange-"));
      try {
        const path = await make(directory, randomSteps(seed, 5 + (seed % 60)));
        const found = await differences(path, directory, withIds);
        if (found.length === 0) passed += 1;
        else {
          failed += 1;
          console.error(`${name}, seed ${seed}:\n${found.join("\n")}`);
        }
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main(Number(process.argv[2] ?? 50));
