import { test } from "bun:test";
import { TOOL_CASES } from "./tools.cases.ts";

for (const { name, run } of TOOL_CASES) test(name, run);
