// Every case of this folder, for both runtimes; those of Ollama alone are beside it.

import type { Case } from "../testing/cases.ts";
import { CONTRACT_CASES } from "./contract.cases.ts";
import { RECORD_CASES } from "./record.cases.ts";
import { REPLAY_CASES } from "./replay.cases.ts";
import { TOKEN_CASES } from "./tokens.cases.ts";
import { WELL_FORMED_CASES } from "./well-formed.cases.ts";

export const MODEL_CASES: readonly Case[] = [
  ...CONTRACT_CASES,
  ...RECORD_CASES,
  ...REPLAY_CASES,
  ...TOKEN_CASES,
  ...WELL_FORMED_CASES,
];
