import { expect, test } from "bun:test";
import { splitEvidence, toldLine } from "./told-before.ts";

for (const [line, text, isOlder, state] of [
  ["Newest request: “now commit” [abc00002]", "Newest request: “now commit”", false, undefined],
  ["“Never log a token.” [dc663da5]", "Never log a token.", false, undefined],
  ["“One.” “Two.” [dc663da5]", "“One.” “Two.”", false, undefined],
  ["Also changed: `a`, `b` [11aa22bb … 33cc44dd]", "Also changed: `a`, `b`", false, undefined],
  ["From the earlier handoff: “`a.ts` 2 edits [687a427f]” [1356d4c6]", "`a.ts` 2 edits", true, undefined],
  ["From the earlier handoff: “`a.ts` 2 edits” [1356d4c6]", "`a.ts` 2 edits", true, undefined],
  ["From the earlier handoff, next then: “Fix it: `x`” [1356d4c6]", "Fix it: `x`", true, "next"],
  ["From a handoff before that, pending then: “[ ] a” [58802c59]", "[ ] a", true, "pending"],
  ["“yes” [dc663da5], answering “Shall I?” [687a427f]", "“yes”, answering “Shall I?”", false, undefined],
  ["From the earlier handoff: “One.” “Two.” [1356d4c6]", "“One.” “Two.”", true, undefined],
  ["From the earlier handoff: “From the summary: “cut off…” [1356d4c6]", "cut off…", true, undefined],
] as const) {
  test(`toldLine() takes off what was put around ${JSON.stringify(line)}`, () => {
    expect(toldLine(line)).toEqual({ text, isOlder, state });
  });
}

test("splitEvidence() gives the lines of the evidence by their groups, apart from the sections", () => {
  const document =
    "# Handoff\n\n## Goal\n- a [00000001]\n\n## Evidence\n\n**Files changed**\n- `b` written [00000002]\n\n**Git**\n- Git: branch `main` [00000003]\n\nLeft out to keep to 400 tokens: 1 commit.\n";
  expect(splitEvidence(document)).toEqual({
    body: "# Handoff\n\n## Goal\n- a [00000001]\n\n",
    evidence: [
      { group: "Files changed", text: "`b` written [00000002]" },
      { group: "Git", text: "Git: branch `main` [00000003]" },
    ],
  });
  expect(splitEvidence("## Goal\nx")).toEqual({ body: "## Goal\nx", evidence: [] });
  expect(splitEvidence("## Goal\nx\n\nLeft out to keep to 400 tokens: 1 commit.\n")).toEqual({
    body: "## Goal\nx\n\n",
    evidence: [],
  });
});
