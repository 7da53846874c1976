// A reader that is in one of several states: what both splitters of an answer's content are made of.

export interface States<State, Part> {
  readonly state: State;
  /** Changes the state, so that what is held is looked at again; passes `parts` on. */
  enter(next: State, parts?: readonly Part[]): readonly Part[];
  /** Runs `step` until it enters no other state; gives all its parts. */
  settle(step: () => readonly Part[]): readonly Part[];
}

/** Nothing was looked at yet, in the state `first`. */
export function createStates<State, Part>(first: State): States<State, Part> {
  let state = first;
  let entered = false;
  return {
    get state() {
      return state;
    },
    enter(next, parts = []) {
      state = next;
      entered = true;
      return parts;
    },
    settle(step) {
      const parts: Part[] = [];
      do {
        entered = false;
        parts.push(...step());
      } while (entered);
      return parts;
    },
  };
}
