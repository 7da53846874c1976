// The same cases under Deno: `deno run -A src/model/ollama/ollama.deno.ts`.

import process from "node:process";
import { runCases } from "../../testing/cases.ts";
import { OLLAMA_CASES } from "./all.cases.ts";

process.exitCode = (await runCases(OLLAMA_CASES)) === 0 ? 0 : 1;
