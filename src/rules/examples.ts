// A rule's own examples: texts that must fire and texts that must not, each run as a stream of its own.

import { oneLine } from "../base/text.ts";
import { locateMatch } from "../matcher/locate.ts";
import { isQuicklyDecided, nativeRegExp } from "./condition.ts";
import { FILE_START, type Problem } from "./finding.ts";
import type { TtsrRule } from "./register.ts";
import { buildMatcher } from "./stream.ts";

const SHOWN = 60;

/** The examples that do not do what they must. */
export function exampleFaults(acting: TtsrRule): readonly Problem[] {
  const { examples, positions } = acting.rule;
  if (examples.match.length === 0 && examples.pass.length === 0) return [];
  const faults = (list: "match" | "pass", wrong: string, other: string): readonly Problem[] =>
    examples[list].flatMap((text, index) => {
      if (firesOn(acting, text) === (list === "match")) return [];
      const position = positions.get(`examples.${list}.${index}`) ?? positions.get("examples") ?? FILE_START;
      const message = `the example ${JSON.stringify(oneLine(text, SHOWN))} ${wrong}`;
      return [
        { code: "R009", position, message, fix: `mend the condition, or move the example to ${other}` },
      ];
    });
  return [
    ...faults("match", "must fire and does not", "pass"),
    ...faults("pass", "must pass and fires", "match"),
  ];
}

/** Whether a rule fires on a text that is a whole stream. One search of a short text costs less than an automaton. */
export function firesOn(acting: TtsrRule, text: string): boolean {
  const hard: string[] = [];
  for (const condition of acting.conditions) {
    if (!isQuicklyDecided(condition, text.length)) hard.push(condition);
    else if (nativeRegExp(condition).test(text)) return true;
  }
  if (hard.length === 0) return false;
  const located = locateMatch({ rule: { id: acting.name, patterns: hard }, text });
  if (located.kind !== "gaveUp") return located.kind === "match";
  const matcher = buildMatcher([acting]);
  return matcher.push(text).length > 0 || matcher.end().length > 0;
}
