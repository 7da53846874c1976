// The word that somebody who mistyped probably meant.

import { distance } from "fastest-levenshtein";

/** The closest of `words`, whatever the case of letters; undefined where none is near. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const ranked = words
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const best = ranked[0];
  const isNear =
    best !== undefined && best.far < word.length && best.far <= Math.max(2, Math.floor(word.length / 2));
  return isNear ? best.candidate : undefined;
}
