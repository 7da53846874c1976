// Everything that is counted while a session is converted, and the report made of it.

import type { Message } from "../../model/messages.ts";
import { toolCallsOf } from "../../model/messages.ts";
import type { Entry, SessionProblem } from "../entry.ts";
import type { SessionFormat } from "../session.ts";
import type { ConversionReport, CountReason } from "./report.ts";

/** Problems beyond these are counted, not kept. */
const MAX_PROBLEMS = 100;

export interface Counts {
  entry(entry: Entry, afterLast: boolean): void;
  count(kind: string, reason: CountReason): void;
  problem(problem: SessionProblem): void;
  result(hasCall: boolean): void;
  report(end: ReportEnd): ConversionReport;
}

export interface ReportEnd {
  readonly format: SessionFormat;
  readonly writtenBy: string | undefined;
  readonly objects: number;
  readonly callsWithoutResult: number;
}

/** Counts of one conversion, all zero. */
export function createCounts(): Counts {
  const roles = new Map<string, number>();
  const kept = new Map<string, number>();
  const counted = new Map<string, { kind: string; reason: CountReason; count: number }>();
  const problems: SessionProblem[] = [];
  const totals = { calls: 0, orphans: 0, compactions: 0, branches: 0, moreProblems: 0 };
  const takeMessage = (message: Message) => {
    add(roles, message.role);
    if (message.role === "assistant") totals.calls += toolCallsOf(message).length;
  };
  return {
    entry(entry, afterLast) {
      if (!afterLast) totals.branches += 1;
      if (entry.type === "message") takeMessage(entry.message);
      if (entry.type === "compaction") totals.compactions += 1;
      if (entry.type === "custom") add(kept, entry.customType);
    },
    count(kind, reason) {
      const key = `${kind}\n${reason}`;
      const known = counted.get(key);
      if (known === undefined) counted.set(key, { kind, reason, count: 1 });
      else known.count += 1;
    },
    problem(problem) {
      if (problems.length < MAX_PROBLEMS) problems.push(problem);
      else totals.moreProblems += 1;
    },
    result(hasCall) {
      if (!hasCall) totals.orphans += 1;
    },
    report: (end) => ({
      ...end,
      messages: rolesOf(roles),
      calls: totals.calls,
      resultsWithoutCall: totals.orphans,
      compactions: totals.compactions,
      branches: totals.branches,
      kept: [...kept].map(([customType, count]) => ({ customType, count })),
      counted: [...counted.values()],
      problems,
      moreProblems: totals.moreProblems,
    }),
  };
}

function add(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1);
}

function rolesOf(roles: ReadonlyMap<string, number>): ConversionReport["messages"] {
  const of = (role: string) => roles.get(role) ?? 0;
  const total = [...roles.values()].reduce((sum, count) => sum + count, 0);
  const [user, assistant, toolResult] = [of("user"), of("assistant"), of("toolResult")];
  return { total, user, assistant, toolResult, other: total - user - assistant - toolResult };
}
