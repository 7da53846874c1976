// Rules that only report what passes: nothing is held for them.

import type { Fire } from "../matcher/matcher.ts";
import type { FilterGaveUp, FilterReport } from "./filter-step.ts";
import type { TtsrRule } from "./register.ts";
import { buildMatcher } from "./stream.ts";
import { advance, TEXT_START } from "./text-position.ts";

export interface Passing {
  push(text: string): readonly FilterReport[];
  end(): readonly FilterReport[];
  gaveUp(): readonly FilterGaveUp[];
}

/** Watches one text for these rules; each is reported at its first match. */
export function createPassing(rules: readonly TtsrRule[]): Passing {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const matcher = buildMatcher(rules);
  let read = 0;
  let position = TEXT_START;
  const reports = (fires: readonly Fire[], text: string): readonly FilterReport[] =>
    fires.flatMap(({ id, at }) => {
      const rule = byName.get(id);
      const place = advance(position, text, Math.max(0, at - read));
      return rule === undefined ? [] : [{ rule, action: "passed", position: place } as const];
    });
  return {
    push(text) {
      if (rules.length === 0) return [];
      const found = reports(matcher.push(text), text);
      read += text.length;
      position = advance(position, text);
      return found;
    },
    end: () => (rules.length === 0 ? [] : reports(matcher.end(), "")),
    gaveUp: () =>
      matcher.gaveUp.flatMap(({ id, at }) => {
        const rule = byName.get(id);
        return rule === undefined ? [] : [{ rule, at }];
      }),
  };
}
