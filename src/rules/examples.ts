// A rule's own examples: texts that must fire and texts that must not, each run as a stream of its own.

import { oneLine } from "../base/text.ts";
import type { Problem } from "./finding.ts";
import type { TtsrRule } from "./register.ts";
import { buildMatcher } from "./stream.ts";

const SHOWN = 60;

/** The examples that do not do what they must. */
export function exampleFaults(acting: TtsrRule): readonly Problem[] {
  const { examples, positions } = acting.rule;
  const position = positions.get("examples") ?? { line: 1, column: 1 };
  const matcher = buildMatcher([acting]);
  const fires = (text: string): boolean => {
    matcher.restart();
    return matcher.push(text).length > 0 || matcher.end().length > 0;
  };
  const shown = (text: string): string => JSON.stringify(oneLine(text, SHOWN));
  const silent = examples.match.filter((text) => !fires(text));
  const loud = examples.pass.filter(fires);
  return [
    ...silent.map((text) => ({
      code: "R009" as const,
      position,
      message: `the example ${shown(text)} must fire and does not`,
      fix: "mend the condition, or move the example to pass",
    })),
    ...loud.map((text) => ({
      code: "R009" as const,
      position,
      message: `the example ${shown(text)} must pass and fires`,
      fix: "mend the condition, or move the example to match",
    })),
  ];
}
