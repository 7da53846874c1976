import { expect, test } from "bun:test";
import { summaryLines } from "./summary-lines.ts";

/** A session that did nothing itself. */
const NOTHING = { constraints: [], commands: [], tasks: [], cwd: "/repo" } as const;

function lines(text: string, messagesSince = 0, kind: "compaction" | "handoff" = "compaction") {
  const summary = { kind, text, messagesSince, entryId: "c0ffee00" };
  return summaryLines({ ...NOTHING, summaries: [summary] }).map(({ place, text }) => `${place}: ${text}`);
}

const NUMBERED = `Analysis of the conversation.

Summary:
1. Primary Request and Intent:
   Port the parser to Rust.

2. Key Technical Concepts:
   - nom

7. Pending Tasks:
   - Fuzz it

8. Current Work:
   The lexer.

9. Optional Next Step:
   Write the fuzz target.`;

test("summaryLines() reads the numbered summary that agents write when they compact", () => {
  expect(lines(NUMBERED)).toEqual([
    "goal: From the summary: “Port the parser to Rust.” [c0ffee00]",
    "done: From the summary: “The lexer.” [c0ffee00]",
    "context: From the summary: “nom” [c0ffee00]",
    "next: From the summary: “Fuzz it” [c0ffee00]",
    "next: From the summary: “Write the fuzz target.” [c0ffee00]",
  ]);
});

test("summaryLines() tells the state of an old summary as old", () => {
  const text = "## Progress\n### Done\n- a\n### In Progress\n- b\n### Pending\n- c\n## Next Steps\n1. d";
  expect(lines(text, 10, "handoff")).toEqual([
    "done: From the earlier handoff: “a” [c0ffee00]",
    "undefined: From the earlier handoff, in progress then: “b” [c0ffee00]",
    "pending: From the earlier handoff, pending then: “c” [c0ffee00]",
    "undefined: From the earlier handoff, next then: “d” [c0ffee00]",
  ]);
});

test("summaryLines() carries an earlier handoff over by its parts, and says nothing of what had nothing", () => {
  const text =
    "## Goal\n- Newest request: “a” [00000001]\n\n## Progress\n\n### Done\nSee the evidence.\n\n### In Progress\nNone.\n\n### Pending\n- [ ] b [00000002]\n\n## Key Decisions\nNone stated.\n\n## Evidence\n\n**Files changed**\n- `c` written [00000003]\n\n**Tasks**\n- [x] d [00000004]\n\n**Earlier work**\n- From the earlier handoff, next then: “e” [00000005]\n\n**Files read**\n- `f` [00000006]\n";
  expect(lines(text, 0, "handoff")).toEqual([
    "goal: From the earlier handoff: “Newest request: “a”” [c0ffee00]",
    "pending: From the earlier handoff: “[ ] b” [c0ffee00]",
    "done: From the earlier handoff: “`c` written” [c0ffee00]",
    "done: From the earlier handoff: “[x] d” [c0ffee00]",
    "undefined: From a handoff before that, next then: “e” [c0ffee00]",
  ]);
});

test("summaryLines() quotes a summary without sections line by line", () => {
  expect(lines("We chose SQLite.\n\n- It stays.")).toEqual([
    "context: From the summary: “We chose SQLite.” [c0ffee00]",
    "context: From the summary: “It stays.” [c0ffee00]",
  ]);
});

test("summaryLines() does not say twice what the user said", () => {
  const summary = {
    kind: "compaction",
    text: "## Constraints\n- **No unsafe code**\n- MSRV 1.74",
    messagesSince: 0,
    entryId: "c0ffee00",
  } as const;
  const constraints = [{ text: "No unsafe code.", weight: 2, entryId: "a" }];
  expect(summaryLines({ ...NOTHING, summaries: [summary], constraints }).map((line) => line.text)).toEqual([
    "From the summary: “MSRV 1.74” [c0ffee00]",
  ]);
});
