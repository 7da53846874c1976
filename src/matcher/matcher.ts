// Which of many regular expressions match a text that arrives in pieces, and where that is first certain. What is
// reported depends on the text alone, never on how it was cut.

import type { MatcherOptions } from "./options.ts";
import { parsePattern } from "./pattern.ts";

/** One rule: it fires when any of its patterns matches. A pattern may begin with a `(?ims)` group that adds flags. */
export interface StreamPattern {
  readonly id: string;
  readonly patterns: readonly string[];
  /** Flags of all patterns: `i`, `m`, `s`, and `u` or `v`. */
  readonly flags?: string;
}

/** A rule that fired. */
export interface Fire {
  readonly id: string;
  /** UTF-16 units read when the match became certain, whatever follows. Not the end of the longest match. */
  readonly at: number;
  /** Only the end of the stream made it certain. */
  readonly atEnd: boolean;
}

/** A rule that stopped looking in this stream because its budget was spent, and the units it had read. */
export interface GaveUp {
  readonly id: string;
  readonly at: number;
}

/** What `pushUntilFire` read and what fired at the last unit of it. */
export interface PartialPush {
  readonly fires: readonly Fire[];
  /** Units of the chunk that were read; the rest is still to be pushed. */
  readonly read: number;
}

const NO_FIRES: readonly Fire[] = Object.freeze([]);

/**
 * Matches rules against one stream at a time.
 *
 * ```ts
 * const matcher = new StreamMatcher([{ id: "no-any", patterns: [": any\\b"] }]);
 * matcher.push("let x: an");  // []
 * matcher.push("y = 1");      // [{ id: "no-any", at: 11, atEnd: false }]
 * matcher.end();              // []
 * matcher.restart();          // the next stream; what was learnt about the rules is kept
 * ```
 *
 * Fires come ordered by offset, then by the order of the rules; a rule fires once in a stream unless `rearm` is
 * called; a fire is never taken back. After `end()` nothing more is read until `restart()`.
 */
export class StreamMatcher {
  /** The rules that stopped looking in this stream, in the order in which they did. */
  readonly gaveUp: readonly GaveUp[] = [];
  readonly #rules: readonly { readonly id: string; readonly tests: readonly RegExp[] }[];
  #text = "";
  #from: number[];
  #fired: Set<string> = new Set();

  /** Throws `PatternError` if a pattern does not compile or is refused; `diagnosePattern` tells beforehand. */
  constructor(rules: readonly StreamPattern[], _options: MatcherOptions = {}) {
    this.#rules = rules.map(({ id, patterns, flags }) => ({
      id,
      tests: patterns.map((source) => {
        const parsed = parsePattern(source, flags);
        return new RegExp(parsed.source, `${parsed.flagText}g`);
      }),
    }));
    this.#from = rules.map(() => 0);
  }

  /** Reads `chunk` and gives the fires that the text so far decides. */
  push(chunk: string): readonly Fire[] {
    const fires: Fire[] = [];
    for (let read = 0; read < chunk.length; ) {
      const part = this.pushUntilFire(chunk, read);
      fires.push(...part.fires);
      read += part.read;
    }
    return fires.length === 0 ? NO_FIRES : fires;
  }

  /**
   * Reads `chunk` from unit `from` on, but stops after the first unit at which something fires, so that a rule can
   * be armed again from exactly there.
   */
  pushUntilFire(chunk: string, from = 0): PartialPush {
    for (let index = from; index < chunk.length; index++) {
      this.#text += chunk[index];
      const fires = this.#test(false);
      if (fires.length > 0) return { fires, read: index + 1 - from };
    }
    return { fires: NO_FIRES, read: chunk.length - from };
  }

  /** The stream is over: gives what only the end decides. */
  end(): readonly Fire[] {
    return this.#test(true);
  }

  /** A new stream begins: every rule is armed, and nothing is read. Caches are kept. */
  restart(): void {
    this.#text = "";
    this.#fired.clear();
    this.#from.fill(0);
  }

  /** The rule may fire again, by a match that begins at or after what has been read; what came before is context. */
  rearm(id: string): void {
    this.#fired.delete(id);
    this.#rules.forEach((rule, index) => {
      if (rule.id === id) this.#from[index] = this.#text.length;
    });
  }

  /** The offset before which no match that may still come began: the text before it is settled. */
  get idleFrom(): number {
    return Math.max(0, this.#text.length - 256);
  }

  #test(atEnd: boolean): readonly Fire[] {
    const fires: Fire[] = [];
    this.#rules.forEach((rule, index) => {
      if (this.#fired.has(rule.id)) return;
      const hit = rule.tests.some((test) => {
        test.lastIndex = this.#from[index] ?? 0;
        return test.test(this.#text);
      });
      if (!hit) return;
      this.#fired.add(rule.id);
      fires.push({ id: rule.id, at: this.#text.length, atEnd });
    });
    return fires;
  }
}
