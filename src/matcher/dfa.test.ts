import { expect, test } from "bun:test";
import { classifyCharacters } from "./char-classes.ts";
import { Dfa } from "./dfa.ts";
import { addPattern } from "./nfa-build.ts";
import { createDraft, finishDraft } from "./nfa-draft.ts";
import { limitsOf } from "./options.ts";
import { parsePattern } from "./pattern.ts";
import { Work } from "./work.ts";

test("Dfa.bytes counts the rules that the end of the text and a character complete", () => {
  const limits = limitsOf({});
  const draft = createDraft(false);
  const rules = new Uint8Array(1000).fill(1);
  rules.forEach((_, rule) => {
    addPattern(draft, { ...limits, rule, pattern: parsePattern(rule % 2 === 0 ? "\\s*$" : "[ab]") });
  });
  const nfa = finishDraft(draft);
  const dfa = new Dfa(
    { nfa, classes: classifyCharacters(nfa), limits, rules },
    new Work(nfa, rules.length, limits),
  );
  const initial = dfa.initial();
  const classOf = (char: string) => dfa.parts.classes.ofUnit[char.charCodeAt(0)] ?? 0;

  expect(dfa.acceptedAtEnd(initial).length).toBe(500);
  const afterEnd = dfa.bytes;
  dfa.acceptedAtEnd(initial);
  expect(dfa.bytes).toBe(afterEnd);
  dfa.build(initial, classOf("a"));
  expect(dfa.edges.at(-1)?.fires.length).toBe(500);
  expect(dfa.bytes - afterEnd).toBeGreaterThan(8 * 500);
});
