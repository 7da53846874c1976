// Loaded before every test file (bunfig.toml): properties run with one seed, so that a run of the gate can be repeated.
// AGENT_TEST_SEED gives another; a property that fails prints its own.

import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["AGENT_TEST_SEED"] ?? 20261130) });
