// The machines that read one kind of character: UTF-16 units, or code points for patterns with `u` or `v`.
//
// A high surrogate is a character only when the unit after it is known, so a lane over code points is at times one
// unit behind.

import { isHigh, isLow } from "../base/surrogates.ts";
import { type CharClasses, classifyCharacters } from "./char-classes.ts";
import type { DfaLimits, DfaParts } from "./dfa.ts";
import { pointOf } from "./input.ts";
import type { MachineListener } from "./listener.ts";
import { Machine } from "./machine.ts";
import type { Nfa } from "./nfa.ts";

export interface LaneParts {
  readonly nfa: Nfa;
  readonly ruleCount: number;
  readonly limits: DfaLimits & { readonly maxMachines: number };
  readonly listener: MachineListener;
}

export class Lane {
  readonly #overPoints: boolean;
  readonly #classes: CharClasses;
  readonly #maxMachines: number;
  readonly #machines: Machine[];
  /** A high surrogate that waits for its partner, or 0. */
  #high = 0;

  constructor({ nfa, ruleCount, limits, listener }: LaneParts) {
    this.#overPoints = nfa.overPoints;
    this.#classes = classifyCharacters(nfa);
    this.#maxMachines = limits.maxMachines;
    const rules = new Uint8Array(ruleCount);
    for (const { rule } of nfa.starts) rules[rule] = 1;
    const parts: DfaParts = { nfa, classes: this.#classes, limits, rules };
    this.#machines = [new Machine(parts, listener)];
  }

  /** Its machine, if it has but one and that reads units. */
  get soleMachine(): Machine | undefined {
    return this.#overPoints || this.#machines.length > 1 ? undefined : this.#machines[0];
  }

  restart(): void {
    this.#high = 0;
    for (const machine of this.#machines) machine.restart();
  }

  /** Reads a chunk; `base` units have been read before. */
  push(chunk: string, base: number): void {
    if (this.#overPoints) this.#readPoints(chunk, base);
    else for (const machine of this.#machines) machine.readUnits(chunk, base);
  }

  /**
   * The same, but no further than behind the first unit on which a rule is reported. Gives the units read: just one, where
   * more than one machine has to stop there.
   */
  pushUntilFire(chunk: string, base: number): number {
    const machine = this.soleMachine;
    if (machine === undefined) {
      this.push(chunk.charAt(0), base);
      return 1;
    }
    const before = machine.reported;
    let k = 0;
    while (k < chunk.length && machine.reported === before) {
      k = machine.skipIdle(chunk, k);
      if (k < chunk.length)
        machine.step(this.#classes.ofUnit[chunk.charCodeAt(k)] ?? 0, base + k, base + ++k);
    }
    return k;
  }

  /** What is done after `at` units, but not between all chunks. */
  pause(at: number): void {
    if (this.#high === 0) for (const machine of this.#machines) machine.pause(at);
    for (const machine of this.#machines.filter(({ thrashing }) => thrashing)) {
      machine.thrashing = false;
      const other = this.#machines.length < this.#maxMachines ? machine.split() : undefined;
      if (other !== undefined) this.#machines.push(other);
    }
  }

  /** The text is over after `at` units. */
  end(at: number): void {
    if (this.#high !== 0) this.#step(this.#high, at - 1, at);
    this.#high = 0;
    for (const machine of this.#machines) machine.finish(at);
  }

  rearm(rule: number): void {
    for (const machine of this.#machines) machine.rearm(rule);
  }

  keepBegins(keep: boolean): void {
    for (const machine of this.#machines) machine.keepBegins(keep);
  }

  /** The least offset at which a match under way began; `at`, the units read, if there is none. */
  oldestBegin(at: number): number {
    const settled = this.#high === 0 ? at : at - 1;
    return this.#machines.reduce(
      (oldest, machine) => Math.min(oldest, machine.oldestBegin(settled)),
      settled,
    );
  }

  #readPoints(chunk: string, base: number): void {
    for (let k = 0; k < chunk.length; k++) {
      const unit = chunk.charCodeAt(k);
      const high = this.#high;
      this.#high = 0;
      if (high !== 0) {
        if (isLow(unit)) {
          this.#step(pointOf(high, unit), base + k - 1, base + k + 1);
          continue;
        }
        this.#step(high, base + k - 1, base + k + 1);
      }
      if (isHigh(unit)) this.#high = unit;
      else this.#step(unit, base + k, base + k + 1);
    }
  }

  #step(point: number, from: number, at: number): void {
    const cls = this.#classes.ofPoint(point);
    for (const machine of this.#machines) machine.step(cls, from, at);
  }
}
