// Commands: each one as it was typed with the status of its last run, and which failures still stand.

import { cutAt } from "../../base/text.ts";
import type { Redact } from "../redact.ts";
import { type Agreement, openSteps } from "./agreed-steps.ts";
import { clip } from "./clip.ts";
import { type CommandKey, commandKey } from "./command-key.ts";
import { echoedFailure, type Outcome } from "./command-outcome.ts";
import { errorLine, showsFailure } from "./error-line.ts";
import type { AgreedStep, CommandFact, CommandStatus, ErrorFact, TestFact } from "./facts.ts";
import { type TestSummary, testSummary } from "./test-summary.ts";

const COMMAND_LENGTH = 400;
const ERROR_LENGTH = 200;

interface CommandState {
  readonly command: string;
  readonly key: CommandKey;
  status: CommandStatus;
  exitCode: number | null;
  runs: number;
  error: string;
  /** Position of its last run. */
  order: number;
  entryId: string;
}

export interface CommandRun {
  readonly command: string;
  readonly outcome: Outcome;
  readonly output: string;
  readonly order: number;
  readonly entryId: string;
  /** Earlier runs of the same line that nobody looked at. */
  readonly unread?: number;
}

export interface CommandCollector {
  /** Gives the failure, if it is one that somebody has to look at. */
  run(run: CommandRun): Omit<ErrorFact, "open"> | undefined;
  facts(): CommandFacts;
  /** Of command lines that were agreed on, those that no run since then did. */
  openSteps(agreed: Agreement): readonly AgreedStep[];
}

export interface CommandFacts {
  /** Failures that stand first; then by time, the latest first, checks before what only looks. */
  readonly commands: readonly CommandFact[];
  readonly failing: readonly CommandFact[];
  /** The last outcome of each thing that ran tests, the latest first. */
  readonly tests: readonly TestFact[];
}

export function createCommandCollector(cwd: string, redact: Redact): CommandCollector {
  const states = new Map<string, CommandState>();
  const tests = new Map<string, TestRun>();
  const shown = new Map<string, string>();
  // The same line is run again and again: it is folded and searched for secrets once.
  const show = (line: string): string => {
    const known = shown.get(line);
    if (known !== undefined) return known;
    const command = clip(redact(cutAt(line, 8 * COMMAND_LENGTH)), COMMAND_LENGTH);
    if (line.length <= COMMAND_LENGTH) shown.set(line, command);
    return command;
  };
  return {
    run(given) {
      const run = { ...given, outcome: echoedFailure(given.command, given.output) ?? given.outcome };
      const command = show(run.command);
      const before = states.get(command);
      const runs = (before?.runs ?? 0) + 1 + (run.unread ?? 0);
      if (before !== undefined && before.order > run.order) {
        before.runs = runs;
        return undefined;
      }
      const key = before?.key ?? commandKey(run.command, cwd);
      // Whoever looks at a log of tests has not run them.
      const summary = key.looks ? undefined : testSummary(run.output);
      const { status, error: raw } = judge(run, key, summary);
      const error = raw === "" ? "" : clip(redact(raw), ERROR_LENGTH);
      const state: CommandState = {
        command,
        key,
        status,
        exitCode: run.outcome.exitCode,
        runs,
        error,
        order: run.order,
        entryId: run.entryId,
      };
      states.set(command, state);
      const failure = isFailure(state)
        ? { tool: "command", target: command, text: error, entryId: run.entryId }
        : undefined;
      takeTests(tests, { state, summary, failed: failure !== undefined });
      return failure;
    },
    openSteps(agreed) {
      const runs = [...states.values()].map(({ command, status, error, order, entryId }) => ({
        command,
        order,
        entryId,
        failed: status === "failed" || error !== "",
      }));
      return openSteps(agreed, runs).map((step) => ({ ...step, command: show(step.command) }));
    },
    facts: () => ({ ...settle([...states.values()]), tests: latestTests([...tests.values()]) }),
  };
}

/** A pipe into `tail`, or `; echo` behind it, hides the status: then the output is asked, and only what it shows counts. */
function judge(
  run: CommandRun,
  key: CommandKey,
  summary: TestSummary | undefined,
): { readonly status: CommandStatus; readonly error: string } {
  const { status, exitCode } = run.outcome;
  if (status === "ok") {
    const failedTests = summary?.failed ?? 0;
    const hidden = key.masked && key.check && (failedTests > 0 || showsFailure(run.output));
    return {
      status,
      error: hidden
        ? errorLine(run.output, 10 * ERROR_LENGTH) || (summary?.summary ?? "its output shows a failure")
        : "",
    };
  }
  if (status === "failed" && isAnswer(key, exitCode)) return { status, error: "" };
  return { status, error: errorLine(run.output, 10 * ERROR_LENGTH) };
}

type TestRun = TestFact & { readonly order: number; readonly key: CommandKey };

interface TestEnd {
  readonly state: CommandState;
  readonly summary: TestSummary | undefined;
  readonly failed: boolean;
}

/** Keeps the outcome of the last run of each thing that runs tests. */
function takeTests(tests: Map<string, TestRun>, { state, summary, failed }: TestEnd): void {
  const { command, key, order, entryId } = state;
  const tested = key.proves[0] ?? command;
  if ((tests.get(tested)?.order ?? -1) > order) return;
  if (summary !== undefined)
    tests.set(tested, { ...summary, summary: clip(summary.summary, 160), command, entryId, order, key });
  // It did not come as far as its tests: what an earlier run of them gave does not stand any more.
  else if (failed) tests.delete(tested);
}

/** The latest first; a run of a part is passed over where all of it ran again later. */
function latestTests(runs: readonly TestRun[]): readonly TestFact[] {
  const proved = new Set<string>();
  return [...runs]
    .sort((a, b) => b.order - a.order)
    .flatMap(({ order: _, key, ...fact }) => {
      const again = key.coveredBy.some((what) => proved.has(what));
      for (const what of key.proves) proved.add(what);
      return again ? [] : [fact];
    });
}

interface Settled {
  readonly state: CommandState;
  readonly mended: boolean;
  readonly fact: CommandFact;
  /** Lower stands higher in the list. */
  readonly rank: number;
}

function settle(states: readonly CommandState[]): Pick<CommandFacts, "commands" | "failing"> {
  const settled = settleEach([...states].sort((a, b) => b.order - a.order));
  const open = new Set(settled.filter(({ state, mended }) => isFailure(state) && !mended));
  const checks = [...open].filter(({ state }) => state.key.check);
  const others = [...open].filter(({ state }) => !state.key.check);
  const failing = [...checks, ...others].map(({ fact }) => fact);
  const rest = settled.filter((item) => !open.has(item)).sort((a, b) => a.rank - b.rank);
  return { failing, commands: [...failing, ...rest.map(({ fact }) => fact)] };
}

/** After so many other commands nobody may want a failure mended any more. */
const OLD_AFTER = 30;
/** So many builds that went well say that one that failed before them is over. */
const BUILDS_SINCE = 2;

/** From the latest to the first, knowing what went well later. */
function settleEach(latestFirst: readonly CommandState[]): readonly Settled[] {
  const proved = new Set<string>();
  const built = new Map<string, number>();
  return latestFirst.map((state, age) => {
    const { key } = state;
    const covered = key.coveredBy.some((what) => proved.has(what));
    const stale = age > OLD_AFTER || (key.builds && (built.get(key.directory) ?? 0) >= BUILDS_SINCE);
    if (succeeds(state)) {
      for (const what of key.proves) proved.add(what);
      if (key.builds) built.set(key.directory, (built.get(key.directory) ?? 0) + state.runs);
    }
    const mended = covered && isFailure(state);
    // A part of what ran well again later is needed less.
    const check = key.check && !covered && !COMMITS.test(state.command) ? 6 : 0;
    const looks = key.looks ? 8 : 0;
    return { state, mended, fact: factOf(state, { mended, age, stale }), rank: age + looks - check };
  });
}

/** What it did stands among the commits. */
const COMMITS = /\bgit (?:add|commit)\b/;
/** A failure that somebody has to look at: not a search that found nothing, not something that the user stopped. */
function isFailure(state: CommandState): boolean {
  if (state.status === "ok") return state.error !== "";
  return state.status === "failed" && !isAnswer(state.key, state.exitCode);
}

/** Looking for something that is not there is work, not a failure. */
function isAnswer(key: CommandKey, exitCode: number | null): boolean {
  return key.search && (exitCode === null || exitCode <= 2);
}

function succeeds(state: CommandState): boolean {
  return state.status === "ok" && state.error === "";
}

function factOf(
  state: CommandState,
  { mended, age, stale }: { readonly mended: boolean; readonly age: number; readonly stale: boolean },
): CommandFact {
  const { command, key, exitCode, runs, error, entryId } = state;
  const failure = isFailure(state);
  return {
    command,
    status: failure ? "failed" : state.status,
    exitCode,
    runs,
    age,
    ...(error === "" || mended ? {} : { error }),
    ...(mended ? { laterOk: true as const } : {}),
    ...(key.looks && succeeds(state) ? { looks: true as const } : {}),
    ...(key.greps && state.status === "failed" && exitCode === 1 && !failure
      ? { noMatch: true as const }
      : {}),
    ...(failure && !mended && stale ? { stale: true as const } : {}),
    entryId,
  };
}
