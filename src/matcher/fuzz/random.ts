// Random choices that are the same for the same seed, on every runtime.

export interface Random {
  /** An integer from 0 up to, not with, `bound`. */
  below(bound: number): number;
  pick<T>(choices: readonly T[]): T;
  /** True once in `n` times. */
  oneIn(n: number): boolean;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const below = (bound: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((((mixed ^ (mixed >>> 14)) >>> 0) * bound) / 2 ** 32) | 0;
  };
  return {
    below,
    pick: (choices) => {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new RangeError("nothing to pick from");
      return choice;
    },
    oneIn: (n) => below(n) === 0,
  };
}

/** `count` choices, joined. */
export function randomText(random: Random, alphabet: readonly string[], count: number): string {
  let text = "";
  for (let k = 0; k < count; k++) text += random.pick(alphabet);
  return text;
}
