// Every case of this folder, for both runtimes.

import type { Case } from "../../testing/cases.ts";
import { FAILURE_CASES } from "./failure.cases.ts";
import { HOST_CASES } from "./host.cases.ts";

export const OLLAMA_CASES: readonly Case[] = [...HOST_CASES, ...FAILURE_CASES];
