// The same cases under Deno: `deno run -A src/session/formats/formats.deno.ts`.

import process from "node:process";
import { runCases } from "../../testing/cases.ts";
import { FORMATS_CASES } from "./formats.cases.ts";

process.exitCode = (await runCases(FORMATS_CASES)) === 0 ? 0 : 1;
