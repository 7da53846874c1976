// Tests that hold in every runtime: plain functions, called by `bun:test` and by a Deno script.

export interface Case {
  /** `symbol() does X when Y`. */
  readonly name: string;
  /** Throws, or rejects, if it does not hold. */
  run(): void | Promise<void>;
}

/** Runs cases one after another, prints each failure and last `N passed, N failed`; gives the number of failures. */
export async function runCases(cases: readonly Case[]): Promise<number> {
  let failed = 0;
  for (const { name, run } of cases) {
    try {
      await run();
    } catch (error) {
      failed += 1;
      console.log(
        `failed: ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }
  console.log(`${cases.length - failed} passed, ${failed} failed`);
  return failed;
}
