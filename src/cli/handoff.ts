// `agent handoff <session>`: the document on stdout, and a new session that begins with it.

import type { Command } from "./command.ts";
import { refusedHandoff, runHandoffCommand } from "./handoff-command.ts";
import { HANDOFF_FLAGS } from "./handoff-flags.ts";
import { MODEL_FLAGS } from "./model-flags.ts";
import { RULE_FLAGS } from "./rule-flags.ts";

export const handoffCommand: Command = {
  flags: [...HANDOFF_FLAGS, ...MODEL_FLAGS, ...RULE_FLAGS],
  examples: [
    {
      line: "agent handoff latest --engine offline > HANDOFF.md",
      does: "a document of this directory's newest session",
    },
    {
      line: 'agent handoff - --output session < a.jsonl | agent run --session - "go on"',
      does: "go on with the work elsewhere",
    },
  ],
  exitCodes: [1, 3, 4, 5, 6, 7, 65, 66, 69, 75],
  notes:
    "<session> is -, a path, latest, or the beginning of a session id. Without a model the document is extracted from\nthe session; every line names the entry that it rests on.",
  failureRecord: refusedHandoff,
  tellsItsCode: true,
  run: runHandoffCommand,
};
