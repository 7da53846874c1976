// The same cases under Deno: `deno run -A src/tools/tools.deno.ts`.

import process from "node:process";
import { runCases } from "../testing/cases.ts";
import { TOOL_CASES } from "./tools.cases.ts";

process.exitCode = (await runCases(TOOL_CASES)) === 0 ? 0 : 1;
