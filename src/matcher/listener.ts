// Who is told what the automata and the backtracking engine find. Rules are numbers.

/** Of an automaton. */
export interface MachineListener {
  /** 1 for each rule that has fired in this stream and is not looked for until it is armed again. */
  readonly fired: Uint8Array;
  /** The rule matches, which is certain once `at` units have been read; no match of it begins before `begin`. */
  onMatch(rule: number, at: number, begin: number): void;
  /** The rule needs more threads or steps than allowed; the machine has not looked for it since `at` units. */
  onOverLimit(rule: number, at: number): void;
}

/** Of the backtracking engine. */
export interface SlowListener {
  /** 1 for each rule that is not looked for any more in this stream. */
  readonly fired: Uint8Array;
  onMatch(rule: number, at: number): void;
  onGaveUp(rule: number, at: number): void;
}
