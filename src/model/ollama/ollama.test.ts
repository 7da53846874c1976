import { test } from "bun:test";
import { OLLAMA_CASES } from "./all.cases.ts";

for (const { name, run } of OLLAMA_CASES) test(name, run);
