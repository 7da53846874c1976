// The same cases under Deno: `deno run -A src/session/session.deno.ts`.

import process from "node:process";
import { runCases } from "../testing/cases.ts";
import { SESSION_CASES } from "./session.cases.ts";

process.exitCode = (await runCases(SESSION_CASES)) === 0 ? 0 : 1;
