// The same cases under Deno: `deno run -A src/model/model.deno.ts`.

import process from "node:process";
import { runCases } from "../testing/cases.ts";
import { MODEL_CASES } from "./all.cases.ts";

process.exitCode = (await runCases(MODEL_CASES)) === 0 ? 0 : 1;
