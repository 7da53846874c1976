// What must still be done when the process ends, however it ends (short of SIGKILL): `main.ts` runs it on exit. This is
// the one list of its kind, because there is one process.

const actions = new Set<() => void>();

/** Registers a synchronous action for the end of the process; the returned function takes it back. */
export function atExit(action: () => void): () => void {
  actions.add(action);
  return () => actions.delete(action);
}

/** Runs every action once; a failing one does not keep the others from running. */
export function runExitActions(): void {
  for (const action of actions) {
    actions.delete(action);
    try {
      action();
    } catch {
      // The process is ending and nobody is left to be told.
    }
  }
}
