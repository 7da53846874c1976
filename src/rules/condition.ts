// Whether one condition can be used, and what is odd about it. The matcher judges; here it is put in words.

import { diagnosePattern } from "../matcher/diagnose.ts";
import { StreamMatcher } from "../matcher/matcher.ts";

/** What is wrong with a condition. Only `R004` and `R015` leave it usable. */
export interface ConditionFault {
  readonly code: "R001" | "R002" | "R004" | "R015";
  readonly message: string;
  readonly fix: string;
}

/** Why a condition cannot be used; undefined if it can. */
export function conditionFault(condition: string): ConditionFault | undefined {
  const quoted = JSON.stringify(condition);
  const diagnosis = diagnosePattern(condition);
  switch (diagnosis.kind) {
    case "usable":
      if (!diagnosis.matchesEmpty) return undefined;
      return {
        code: "R002",
        message: `condition ${quoted} matches the empty string, so it would fire before any text`,
        fix: "ask for at least one character",
      };
    case "refused":
      return {
        code: "R001",
        message: `condition ${quoted} cannot be used: ${diagnosis.message}`,
        fix: "write it without that",
      };
    case "invalid":
      return {
        code: "R001",
        message: `condition ${quoted} does not compile: ${diagnosis.message}`,
        fix: looksLikeGlob(condition)
          ? `it looks like a file glob; write scope: tool:write(${condition}) or globs: "${condition}" instead`
          : "mend the regular expression",
      };
  }
}

/** What is odd about a condition that can be used. */
export function conditionDoubts(condition: string): readonly ConditionFault[] {
  const quoted = JSON.stringify(condition);
  const diagnosis = diagnosePattern(condition);
  if (diagnosis.kind !== "usable" || diagnosis.matchesEmpty) return [];
  const doubts: ConditionFault[] = [];
  if (diagnosis.slow !== undefined) {
    doubts.push({
      code: "R004",
      message: `condition ${quoted} needs the slow path: ${diagnosis.slow}`,
      fix: "write it without that, if what it must find allows it",
    });
  }
  if (firesOnNothing(condition)) {
    doubts.push({
      code: "R015",
      message: `condition ${quoted} matches the empty string at the end of every text`,
      fix: "ask for at least one character before the end",
    });
  }
  return doubts;
}

function firesOnNothing(condition: string): boolean {
  return new StreamMatcher([{ id: "condition", patterns: [condition] }]).end().length > 0;
}

/** True for a text that is plainly meant as a file glob, such as `*.ts`. */
export function looksLikeGlob(condition: string): boolean {
  return /^\*{1,2}(\/|\.[\w{])/.test(condition) || /^(\*\*\/)?\*\.\{?[\w,]+\}?$/.test(condition);
}
