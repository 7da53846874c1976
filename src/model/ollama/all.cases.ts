// Every case of this folder, for both runtimes.

import type { Case } from "../../testing/cases.ts";
import { ANSWER_CASES } from "./answer.cases.ts";
import { BROKEN_CASES } from "./broken.cases.ts";
import { FAILURE_CASES } from "./failure.cases.ts";
import { HOST_CASES } from "./host.cases.ts";
import { SPLITTER_CASES } from "./splitters.cases.ts";

export const OLLAMA_CASES: readonly Case[] = [
  ...HOST_CASES,
  ...FAILURE_CASES,
  ...SPLITTER_CASES,
  ...ANSWER_CASES,
  ...BROKEN_CASES,
];
