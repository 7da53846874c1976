import { test } from "bun:test";
import { SESSION_CASES } from "./session.cases.ts";

for (const { name, run } of SESSION_CASES) test(name, run);
