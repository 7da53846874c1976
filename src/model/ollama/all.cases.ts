// Every case of this folder, for both runtimes.

import type { Case } from "../../testing/cases.ts";
import { ABORT_CASES } from "./abort.cases.ts";
import { ANSWER_CASES } from "./answer.cases.ts";
import { BROKEN_CASES } from "./broken.cases.ts";
import { CONNECT_CASES } from "./connect.cases.ts";
import { FAILURE_CASES } from "./failure.cases.ts";
import { HOST_CASES } from "./host.cases.ts";
import { LYING_CASES } from "./lying.cases.ts";
import { NUM_CTX_CASES } from "./num-ctx.cases.ts";
import { RECORDED_CASES } from "./recorded.cases.ts";
import { REQUEST_CASES } from "./request.cases.ts";
import { SPLITTER_CASES } from "./splitters.cases.ts";
import { SPLITTER_LONG_CASES } from "./splitters-long.cases.ts";
import { WINDOW_CASES } from "./window.cases.ts";

export const OLLAMA_CASES: readonly Case[] = [
  ...CONNECT_CASES,
  ...HOST_CASES,
  ...FAILURE_CASES,
  ...SPLITTER_CASES,
  ...SPLITTER_LONG_CASES,
  ...ANSWER_CASES,
  ...RECORDED_CASES,
  ...BROKEN_CASES,
  ...LYING_CASES,
  ...ABORT_CASES,
  ...WINDOW_CASES,
  ...NUM_CTX_CASES,
  ...REQUEST_CASES,
];
