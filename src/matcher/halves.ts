// How the rules of an automaton are dealt out to two, when its states multiply.

/**
 * Every other rule, in the order of the threads that they had, so that both halves have about as much to do. `rules` has 1
 * for each rule that is looked for, and so have the halves. Undefined if there are not two.
 */
export function halvesOf(
  rules: Uint8Array,
  load: ReadonlyMap<number, number>,
): readonly [Uint8Array, Uint8Array] | undefined {
  const live = [...rules.keys()].filter((rule) => rules[rule] === 1);
  if (live.length < 2) return undefined;
  live.sort((a, b) => (load.get(b) ?? 0) - (load.get(a) ?? 0) || a - b);
  const halves = [new Uint8Array(rules.length), new Uint8Array(rules.length)] as const;
  live.forEach((rule, k) => {
    halves[k % 2 === 0 ? 0 : 1][rule] = 1;
  });
  return halves;
}
