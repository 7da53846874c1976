// The output of a conversion, held in a queue until it is taken. The header waits until it knows its session, or until
// enough has come without that.

import type { NewEntry, SessionProblem } from "../entry.ts";
import { problemAt } from "../problems.ts";
import { type Counts, createCounts } from "./counts.ts";
import { createEntryChain, type EntryChain, NO_TIME } from "./entry-chain.ts";
import type { ConversionOptions, ForeignFormatName } from "./format.ts";
import { buildHeader, definedOf, mergeFacts } from "./header-facts.ts";
import { createOpenCalls, type OpenCalls } from "./open-calls.ts";
import type { ConversionOutput, GitFacts, HeaderFacts, MessageDraft, Place } from "./output.ts";
import type { Converted } from "./report.ts";

/** The header waits for at most so many entries, made of so many characters. */
const MAX_WAITING = 200;
const MAX_WAITING_CHARS = 4_194_304;
/** A `custom` entry's data, as JSON, in UTF-16 units. */
const MAX_CUSTOM = 8_192;
const MAX_SUBAGENT = 131_072;
/** More `custom` entries of one kind say nothing new. */
const MAX_OF_KIND = 100;

export interface OutputQueue {
  readonly output: ConversionOutput;
  /** What is ready, in order; empty while the header waits. */
  take(): readonly Converted[];
  /** Goes up whenever something is placed, counted or held. */
  operations(): number;
  problem(problem: SessionProblem): void;
  /** The header at the latest, the rest, and the report. */
  end(objects: number): readonly Converted[];
}

interface State {
  readonly format: ForeignFormatName;
  readonly options: ConversionOptions;
  readonly counts: Counts;
  readonly chain: EntryChain;
  readonly calls: OpenCalls;
  readonly queue: Converted[];
  readonly customs: Map<string, number>;
  facts: HeaderFacts;
  headerOut: boolean;
  /** Characters of the source that the queue was made of, while the header waits. */
  waitingChars: number;
  operations: number;
  /** What the last entry of each of these kinds said, so that only changes become entries. */
  readonly last: Map<string, string>;
}

/** The output of one conversion. */
export function createOutputQueue(format: ForeignFormatName, options: ConversionOptions): OutputQueue {
  const state: State = {
    format,
    options,
    counts: createCounts(),
    chain: createEntryChain(),
    calls: createOpenCalls(),
    queue: [],
    customs: new Map(),
    facts: {},
    headerOut: false,
    waitingChars: 0,
    operations: 0,
    last: new Map(),
  };
  return {
    output: createOutput(state),
    take: () => (headerReady(state) ? emit(state) : []),
    operations: () => state.operations,
    problem: (problem) => state.counts.problem(problem),
    end: (objects) => {
      const rest = emit(state);
      const callsWithoutResult = state.calls.count();
      const writtenBy = state.facts.writtenBy;
      const report = state.counts.report({ format, writtenBy, objects, callsWithoutResult });
      return [...rest, { kind: "report", report }];
    },
  };
}

function createOutput(state: State): ConversionOutput {
  return {
    get leafId() {
      return state.chain.leafId;
    },
    header: (facts, at) => takeHeader(state, facts, at),
    git: (facts, at) => takeGit(state, facts, at),
    model: (provider, modelId, at) => onChange(state, at, { type: "model_change", provider, modelId }),
    thinkingLevel: (thinkingLevel, at) =>
      onChange(state, at, { type: "thinking_level_change", thinkingLevel }),
    message: (draft, at) =>
      place(state, at, (_, time) => ({ type: "message", message: withTime(draft, time) })),
    injected: (text, at) => place(state, at, () => ({ type: "custom_message", ...text })),
    compaction: ({ firstKeptEntryId, details, ...facts }, at) =>
      place(state, at, (id) => ({
        type: "compaction",
        ...facts,
        firstKeptEntryId: firstKeptEntryId ?? id,
        ...(details === undefined ? {} : { details }),
      })),
    custom: (customType, data, at) => deferCustom(state, { customType, data }, at)?.(),
    deferCustom: (customType, data, at) => deferCustom(state, { customType, data }, at),
    subagent: (customType, data, at) => takeSubagent(state, { customType, data }, at),
    count: (kind, reason) => {
      state.operations += 1;
      state.counts.count(kind, reason);
    },
    held: () => {
      state.operations += 1;
    },
    problem: (code, problem, at) => state.counts.problem(problemAt(at.source.line, code, problem)),
    rewindTo: (parentId) => state.chain.rewindTo(parentId),
    openCall: (id, name) => state.calls.open(id, name),
    closeCall: (id) => {
      const name = state.calls.close(id);
      state.counts.result(name !== undefined);
      return name;
    },
  };
}

function place(state: State, at: Place, make: (id: string, time: number) => NewEntry): string {
  state.operations += 1;
  const { entry, line, afterLast } = state.chain.place(at, make);
  state.counts.entry(entry, afterLast);
  state.queue.push({ kind: "entry", entry, line });
  if (!state.headerOut) state.waitingChars += at.source.text.length;
  return entry.id;
}

function withTime(draft: MessageDraft, timestamp: number) {
  return { ...draft, timestamp };
}

function onChange(state: State, at: Place, entry: NewEntry): void {
  const said = JSON.stringify(entry);
  if (state.last.get(entry.type) === said) return;
  state.last.set(entry.type, said);
  place(state, at, () => entry);
}

function takeHeader(state: State, facts: HeaderFacts, at: Place): void {
  const known = definedOf(facts);
  const { cwd, title } = known;
  state.chain.startAt(known.timestamp);
  if (state.headerOut) {
    if (cwd !== undefined && cwd !== state.last.get("cwd"))
      customEntry(state, { customType: "cwd", data: { cwd } }, at);
    if (title !== undefined && title !== state.last.get("title")) {
      place(state, at, () => ({ type: "session_info", name: title }));
    }
  }
  if (cwd !== undefined) state.last.set("cwd", cwd);
  if (title !== undefined) state.last.set("title", title);
  state.facts = mergeFacts(state.facts, known);
}

function takeGit(state: State, facts: GitFacts, at: Place): void {
  const data = definedOf(facts);
  const said = JSON.stringify(data);
  if (said === "{}" || state.last.get("git") === said) return;
  state.last.set("git", said);
  customEntry(state, { customType: "git", data }, at);
}

interface Custom {
  readonly customType: string;
  readonly data: unknown;
}

function deferCustom(state: State, custom: Custom, at: Place): (() => void) | undefined {
  const { customType } = custom;
  const before = state.customs.get(customType) ?? 0;
  state.customs.set(customType, before + 1);
  state.operations += 1;
  if (before >= MAX_OF_KIND) state.counts.count(customType, "more of the same");
  else if (sizeOf(custom.data) > MAX_CUSTOM) state.counts.count(customType, "too large");
  else return () => customEntry(state, custom, at);
  return undefined;
}

function takeSubagent(state: State, custom: Custom, at: Place): void {
  state.operations += 1;
  if (state.options.subagents === "drop") state.counts.count(custom.customType, "dropped on request");
  else if (sizeOf(custom.data) > MAX_SUBAGENT) state.counts.count(custom.customType, "too large");
  else customEntry(state, custom, at);
}

function customEntry(state: State, custom: Custom, at: Place): void {
  const { customType, data } = custom;
  place(state, at, () => ({ type: "custom", customType, ...(data === undefined ? {} : { data }) }));
}

function sizeOf(data: unknown): number {
  return data === undefined ? 0 : JSON.stringify(data).length;
}

function headerReady(state: State): boolean {
  const { facts, queue, waitingChars } = state;
  if (state.headerOut || (facts.id !== undefined && facts.cwd !== undefined)) return true;
  return queue.length >= MAX_WAITING || waitingChars >= MAX_WAITING_CHARS;
}

function emit(state: State): readonly Converted[] {
  const ready = state.queue.splice(0);
  if (state.headerOut) return ready;
  state.headerOut = true;
  const times = ready.map((item) => (item.kind === "entry" ? item.entry.timestamp : NO_TIME));
  const header = buildHeader(
    state.facts,
    times.find((time) => time !== NO_TIME),
  );
  state.chain.startAt(header.timestamp);
  return [{ kind: "header", header }, ...ready.map((item) => timed(item, header.timestamp))];
}

/** An entry from before any time was told gets the header's. */
function timed(item: Converted, timestamp: string): Converted {
  if (item.kind !== "entry" || item.entry.timestamp !== NO_TIME) return item;
  const { entry, line } = item;
  if (entry.type !== "message") return { kind: "entry", entry: { ...entry, timestamp }, line };
  const message = { ...entry.message, timestamp: Date.parse(timestamp) };
  return { kind: "entry", entry: { ...entry, message, timestamp }, line };
}
