// The word that somebody who mistyped probably meant.

import { distance } from "fastest-levenshtein";

/** The closest of `words`; undefined where none is near. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const ranked = words.map((candidate) => ({ candidate, far: distance(word, candidate) }));
  ranked.sort((a, b) => a.far - b.far);
  const best = ranked[0];
  return best !== undefined && best.far <= Math.max(2, Math.floor(word.length / 2))
    ? best.candidate
    : undefined;
}
