// Tests that need bubblewrap: real commands inside it, where it can run.

import { test } from "bun:test";
import { messageOf } from "../base/errors.ts";
import { type ToolPlaceOptions, toolPlace } from "./tool-place.ts";

async function reasonAgainst(): Promise<string | undefined> {
  try {
    using _place = await toolPlace({ grants: { run: true }, sandbox: true });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

const reason = await reasonAgainst();
if (reason !== undefined) console.error(`sandbox tests skipped: ${reason}`);
/** A test that needs bubblewrap; skipped, with the reason printed, where it cannot run. */
export const testSandbox = test.skipIf(reason !== undefined);

/** The tools of a run whose commands are in the sandbox, with `bash` granted. */
export const boxed = (grants: ToolPlaceOptions["grants"] = {}) =>
  toolPlace({ grants: { run: true, ...grants }, sandbox: true });
