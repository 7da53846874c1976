import { test } from "bun:test";
import { MODEL_CASES } from "./all.cases.ts";

for (const { name, run } of MODEL_CASES) test(name, run);
