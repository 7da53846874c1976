// Waiting for what another process does, for tests: however slow the machine, no fixed time decides.

/** Polling often costs little; giving up before the runner does leaves a failure that says what was awaited. */
const POLL_MS = 10;
const LONGEST_MS = 25_000;

/** Resolves when the condition holds. Rejects, naming it, if it does not in 25 s. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`never came: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
