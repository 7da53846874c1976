// What says in a sentence that something was decided: somebody who decides, a word for it, and why. What only tells what
// was done, explains, or says what may be is no decision.

const OTHER_WORDS = /entschied|choisi|decidí|решил|选择|采用|决定|改用|決定|採用|결정/i;

/** Says so in so many words. */
const FIRM =
  /\b(?:i|we)(?:['’](?:ve|ll|d|m|re))?(?: have| will| would| am| are| had)?(?: \w+)? (?:decided|recommend(?:ed)?|chose|opted|settled on|going with|go with|stick(?:ing)? with)\b|^\W*(?:so |thus |therefore )?(?:decided|chose|opted|settled on|going with|recommend(?:ed|ation)?|decision)\b|\b(?:the|my|our|this|final|key) (?:decision|recommendation|choice)(?: here)? (?:is|was)\b|\blet['’]?s (?:go|stick) with\b/i;

/** Somebody does something of which a reason makes a decision. */
const DOES =
  /\b(?:i|we|let)(?:['’](?:ve|ll|d|m|re|s))?(?: (?:have|will|would|am|are|should|just|now|also|therefore|then|\w+ly))* (?:us(?:e|ed|ing)|keep(?:ing)?|kept|prefer(?:red)?|pick(?:ed)?|stick|stuck|switch(?:ed|ing)?|swap(?:ped)?|mov(?:e|ed|ing)|migrat(?:e|ed|ing)|replac(?:e|ed|ing))\b/i;
/** The same without saying who. */
const DONE =
  /^\W*(?:kept|keeping|switched|swapped|moved|migrated|picked|preferred|stuck)\b|\b(?:was|were|is|are|has been) (?:decided|chosen|picked|preferred)\b/i;

const BECAUSE =
  /\b(?:because|since|so that|due to|to avoid|in order to|trade-?off|otherwise|reason|weil|damit|parce que|afin|porque|para que)\b|потому что|чтобы|因为|以便|ため|理由|ので|때문/i;
const RATHER =
  /\b(?:which (?:avoids|means|keeps|lets|gives|makes|allows|pulls|is|has)|[—–-] no \w+|no need (?:for|to)|as it|rather than|instead of|statt|plutôt|en lugar)\b|вместо|而不是/i;

/** Says what may be, or asks. */
const TENTATIVE =
  /^\W*(?:let me|i need to|now let|maybe|perhaps|first,? let|i (?:bet|think|guess|suspect)|it (?:seems|looks)|looks like|probably|if|unless|whether|(?:we|you|i|one) (?:can|could|might|may)|alternatively|option|another option|either)(?![\p{L}'’])|[?？]\s*$|\b(?:not|n't|un) ?(?:yet )?decided\b|\b(?:to be|must be|has to be|needs? to be|still) decided\b/iu;

/** 3: decided, with its reason; 2: decided; 1: done so for a reason; 0: neither. */
export function decisionWeight(sentence: string): 0 | 1 | 2 | 3 {
  if (sentence.length < 20 || TENTATIVE.test(sentence)) return 0;
  const because = BECAUSE.exec(sentence);
  const reason = because ?? RATHER.exec(sentence);
  if (FIRM.test(sentence) || OTHER_WORDS.test(sentence)) return reason === null ? 2 : 3;
  if (reason === null) return 0;
  // "The footer now uses dim instead of muted" tells what was done, not why.
  // Nor is what stands behind the reason: "it is faster since we use a cache".
  const does = DOES.exec(sentence);
  const leads = does !== null && (does.index < reason.index || reason.index === 0);
  return leads || (because !== null && DONE.test(sentence)) ? 1 : 0;
}
