import { test } from "bun:test";
import { FORMATS_CASES } from "./formats.cases.ts";

for (const { name, run } of FORMATS_CASES) test(name, run);
