import { expect, test } from "bun:test";
import { announcedSteps, openQuestion } from "./announced.ts";

const steps = (text: string) => announcedSteps(text, "e").map((step) => step.text);

for (const [what, heading] of [
  ["English", "## Next steps"],
  ["a colon", "Remaining work:"],
  ["bold", "**What's left:**"],
  ["German", "Noch offen:"],
  ["French", "### Prochaines étapes"],
  ["Chinese", "下一步："],
  ["Japanese", "次のステップ"],
] as const) {
  test(`announcedSteps() finds the list under a heading with ${what}`, () => {
    expect(steps(`Done so far.\n- not this\n\n${heading}\n\n1. one\n2. two\n\nBye.`)).toEqual(["one", "two"]);
  });
}

test("announcedSteps() finds sentences that say so where there is no list", () => {
  expect(steps("All done. The changelog still needs an entry. Thanks!")).toEqual([
    "The changelog still needs an entry.",
  ]);
  expect(steps("All done.")).toEqual([]);
});

test("openQuestion() finds what an answer ends with asking", () => {
  expect(
    openQuestion("Why so slow? I looked.\nThe plan is ready: 3 to add. Shall I apply it?", "e")?.text,
  ).toBe("Shall I apply it?");
  expect(openQuestion("Ich habe zwei Wege. Welchen möchtest du?\n\n- A\n- B", "e")?.text).toBe(
    "Welchen möchtest du?",
  );
  expect(openQuestion("Done. Everything passes.", "e")).toBeUndefined();
  expect(openQuestion("Done. Is there anything else?", "e")).toBeUndefined();
});
