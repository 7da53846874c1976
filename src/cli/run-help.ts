// What `agent run --help` says beside its flags.

import type { Example } from "./command.ts";
import { renderBuiltIns } from "./run-built-ins.ts";

export const RUN_EXAMPLES: readonly Example[] = [
  {
    line: 'git diff | agent run "write a commit message for this change"',
    does: "one answer on stdout; the diff comes from stdin",
  },
  {
    line: 'agent run --allow-write --allow-run=bun --output jsonl "make the tests pass" > events.jsonl',
    does: "let it edit files and run one program, and keep every event",
  },
  {
    line: 'ssh ci cat s.jsonl | agent run --session - --output session "fix the failing test" > s2.jsonl',
    does: "go on with a session of another machine, without a file",
  },
];

export const EXIT_CODES_OF_RUN: readonly number[] = [1, 4, 5, 6, 7, 65, 66, 69, 75, 77];

export const RUN_NOTES = [
  "The prompt is the arguments, stdin, or both with a blank line between them. @file attaches a file, images too.",
  "With --schema the model is held to the schema and offered no tools, unless a flag asks for them (--tools, --allow-…):",
  "then it works freely first, and its answer is asked for again, held to the schema, if it does not follow it.",
  "",
  "Commands in the prompt:",
  ...renderBuiltIns(),
  "  /name args  the template .agent/prompts/name.md, with $1, $2 … and $@ filled in",
].join("\n");
