// `agent run`: one prompt through the agent loop. This file only puts the parts together: prompt, session, model, rules
// and tools go in; events go to the recorder and the output; the result says how it ended.

import type { Command } from "./command.ts";
import { MODEL_FLAGS } from "./model-flags.ts";
import { PERMISSION_FLAGS } from "./permission-flags.ts";
import { RULE_FLAGS } from "./rule-flags.ts";
import { failureRecord, runCommandLine } from "./run-command.ts";
import { RUN_FLAGS, SESSION_FLAGS } from "./run-flags.ts";
import { EXIT_CODES_OF_RUN, RUN_EXAMPLES, RUN_NOTES } from "./run-help.ts";

export const runCommand: Command = {
  flags: [...RUN_FLAGS, ...SESSION_FLAGS, ...MODEL_FLAGS, ...RULE_FLAGS, ...PERMISSION_FLAGS],
  examples: RUN_EXAMPLES,
  exitCodes: EXIT_CODES_OF_RUN,
  notes: RUN_NOTES,
  ownsErrorOutput: true,
  tellsItsCode: true,
  failureRecord,
  run: runCommandLine,
};
