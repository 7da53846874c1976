// Whether one condition can be used, and what is odd about it. The matcher judges; here it is put in words.

import { oneLine } from "../base/text.ts";
import { diagnosePattern, type PatternDiagnosis } from "../matcher/diagnose.ts";
import { locateMatch } from "../matcher/locate.ts";
import { splitLeadingFlags } from "../matcher/pattern.ts";
import { foreignForms } from "./dialects.ts";

/** Characters of a condition in a message. */
const SHOWN = 80;

/** What is wrong with a condition. `R001` and `R002` make it unusable. */
export interface ConditionFault {
  readonly code: "R001" | "R002" | "R004" | "R015" | "R017";
  readonly message: string;
  readonly fix: string;
}

/** Why a condition cannot be used; undefined if it can. */
export function conditionFault(condition: string): ConditionFault | undefined {
  const diagnosis = judge(condition);
  if (diagnosis.kind === "plain") return undefined;
  const quoted = JSON.stringify(oneLine(condition, SHOWN));
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
        fix: foreignAdvice(condition) ?? "write it without that",
      };
    case "invalid":
      return {
        code: "R001",
        message: `condition ${quoted} does not compile at offset ${diagnosis.index}: ${diagnosis.message}`,
        fix: looksLikeGlob(condition)
          ? `it looks like a file glob; write scope: tool:write(${condition}) or globs: "${condition}" instead`
          : (foreignAdvice(condition) ?? "mend the regular expression"),
      };
  }
}

/** ECMAScript's way to write what keeps the condition from compiling, if another dialect has it. */
function foreignAdvice(condition: string): string | undefined {
  const forms = foreignForms(condition);
  const refused = forms.filter(({ readAs }) => readAs === "");
  const meant = refused.length === 0 ? forms : refused;
  if (meant.length === 0) return undefined;
  return meant.map(({ written, advice }) => `in place of ${written} ${advice}`).join("; ");
}

/** What is odd about a condition that can be used. */
export function conditionDoubts(condition: string): readonly ConditionFault[] {
  const diagnosis = judge(condition);
  const quoted = JSON.stringify(oneLine(condition, SHOWN));
  const doubts: ConditionFault[] = foreignForms(condition).map(({ written, readAs, advice }) => ({
    code: "R017",
    message: `condition ${quoted} has ${written}, which is read as ${readAs}`,
    fix: advice,
  }));
  if (diagnosis.kind !== "usable") return diagnosis.kind === "plain" ? doubts : [];
  if (diagnosis.matchesEmpty) return [];
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

type Judgement = { readonly kind: "plain" } | PatternDiagnosis;

const PLAIN: Judgement = { kind: "plain" };
/** Of the conditions asked about: a rule's bucket, its registration and its check each ask, and the answer is dear. */
const judgements = new Map<string, Judgement>();
const MOST_JUDGEMENTS = 10_000;

function judge(condition: string): Judgement {
  const known = judgements.get(condition);
  if (known !== undefined) return known;
  const judgement = isPlainlyUsable(condition) ? PLAIN : diagnosePattern(condition);
  if (judgements.size >= MOST_JUDGEMENTS) judgements.clear();
  judgements.set(condition, judgement);
  return judgement;
}

function firesOnNothing(condition: string): boolean {
  return locateMatch({ rule: { id: "condition", patterns: [condition] }, text: "" }).kind === "match";
}

/**
 * True if nothing is wrong or odd about a condition, told without the cost of taking it apart: it compiles, has none of
 * what may be slow or refused, and does not match an empty text. False says nothing.
 */
export function isPlainlyUsable(condition: string): boolean {
  const { rest } = splitLeadingFlags(condition);
  if (rest.length > PLAIN_LENGTH || NOT_PLAIN.test(rest)) return false;
  if (productOf(rest, /\d+(?=\})/g) > PLAIN_COUNTS) return false;
  const alternatives = rest.match(/\|/g)?.length ?? 0;
  if (alternatives * productOf(rest, /(?<=\)\{(?:\d+,)?)\d+(?=,?\})/g) > PLAIN_ALTERNATIVES) return false;
  try {
    return !nativeRegExp(condition).test("");
  } catch {
    return false;
  }
}

function productOf(text: string, numbers: RegExp): number {
  if (!text.includes("{")) return 1;
  return [...text.matchAll(numbers)].reduce((product, [number]) => product * Number(number), 1);
}

/**
 * True if the engine's own `RegExp` decides a condition on a text of this length with certainty: it is plain, no group is
 * repeated, and its ways through the text cannot come near the number of steps after which that engine gives up and
 * says no.
 */
export function isQuicklyDecided(condition: string, textLength: number): boolean {
  if (judge(condition).kind !== "plain" || /\)[*+{]/.test(condition)) return false;
  const repetitions = condition.match(/[*+]|,\d*\}/g)?.length ?? 0;
  const choices = condition.match(/[?|]/g)?.length ?? 0;
  return (textLength + 1) ** (repetitions + 1) * 2 ** choices <= QUICK_STEPS;
}

/** A condition that compiles, as the engine's own regular expression. */
export function nativeRegExp(condition: string): RegExp {
  const { flags, rest } = splitLeadingFlags(condition);
  return new RegExp(rest, flags);
}

const QUICK_STEPS = 1_000_000;

const PLAIN_LENGTH = 300;
/** The product of all counts of `{n}`: what nested ones may come to. */
const PLAIN_COUNTS = 60;
/** Each may double the ways through an empty text, which is tried once. */
const PLAIN_ALTERNATIVES = 16;
/** Groups with a `?` but `(?:`, escapes that are not of a character or class, and braces that do not count. */
const NOT_PLAIN =
  /\(\?(?!:)|\\(?![sSdDwWbBnrt./\\()[\]{}*+?^$|'"`:;,<>=!@#%&~-])|\{(?!\d{1,2}(?:,\d{0,2})?\})|[\ud800-\udfff]/;

/** True for a text that is plainly meant as a file glob, such as `*.ts`. */
export function looksLikeGlob(condition: string): boolean {
  return /^\*{1,2}(\/|\.[\w{])/.test(condition) || /^(\*\*\/)?\*\.\{?[\w,]+\}?$/.test(condition);
}
