// The sentences of a user message that say what must be, as they are quoted: a sentence without its subject takes the one
// before it along, and what only reports that something went wrong is left out.

import { constraintStrength } from "./constraint-words.ts";
import { ledItems } from "./led-items.ts";
import { sentencesOf } from "./sentences.ts";

export interface ConstraintQuote {
  readonly text: string;
  readonly weight: 1 | 2;
}

const MOST_SENTENCES = 400;

/** The constraints of a message, list items under a line that leads to them first. */
export function constraintQuotes(words: string): readonly ConstraintQuote[] {
  const { items, leads } = ledItems(words);
  const sentences = sentencesOf(words, MOST_SENTENCES);
  const said = sentences.flatMap((sentence, at): readonly ConstraintQuote[] => {
    const weight = constraintStrength(sentence);
    if (weight === 0 || leads.has(sentence) || isNoRule(sentence, weight)) return [];
    const text = withSubject(sentence, { before: sentences[at - 1], words, weight });
    return text === undefined ? [] : [{ text, weight }];
  });
  return [...items, ...said];
}

/** A wish in the form of a question is a request, one that corrects the last answer is about that alone. */
function isNoRule(sentence: string, weight: 1 | 2): boolean {
  if (weight === 1 && (/[?？]\s*$/.test(sentence) || CORRECTS.test(sentence))) return true;
  const rest = sentence.replace(NEVER_AGAIN, "");
  return REPORTS.test(rest) && constraintStrength(rest) === 0;
}

const CORRECTS = /^\W*(?:no(?:pe)?|nein|non|nee|нет|不|いや)[,.!]/iu;
/** Somebody saw something go wrong. */
const REPORTS =
  /\b(?:i|we|it|this|that|he|she|they)\b.{0,80}\b(?:got|saw|hit|crash(?:es|ed)|explode[sd]|broke|breaks|fail(?:s|ed)|hangs|hung|froze|stuck)\b|\b(?:abgestürzt|stürzt|kaputt|plante|упал\w*|падает)(?!\p{L})|崩溃|报错|落ち/iu;
const NEVER_AGAIN =
  /\b(?:(?:should|must|may|can)(?: not|n'?t| never)|never|shouldn'?t|mustn'?t)\b[^,.;]{0,20}\b(?:happen|occur|crash|break|fail|explode|be possible)\w*/giu;

/** Begins where its subject should stand. */
const NO_SUBJECT =
  /^\W*(?:should(?:n'?t)?|must(?:n'?t)?|needs?|has|have|ought|is|are|was|were|isn'?t|aren'?t|sollte?n?|muss|müssen|doit|debe|deve|moet)(?!\p{L})/iu;
/** Begins with a word that stands for what was said before. */
const POINTS_BACK =
  /^\W*(?:and |but |so |also )*(?:it|that|this|they|those|these|he|she|es|das|il|ça|это)(?:'[a-z]+)?(?!\p{L})/iu;
const LONGEST_BEFORE = 160;
/** A sentence of so many words tells what it is about even where it points back. */
const TELLING_WORDS = 9;

/** Undefined where nobody could tell what the sentence is about. */
function withSubject(
  sentence: string,
  {
    before,
    words,
    weight,
  }: { readonly before: string | undefined; readonly words: string; readonly weight: 1 | 2 },
): string | undefined {
  const lacks = NO_SUBJECT.test(sentence);
  if (!lacks && !(POINTS_BACK.test(sentence) && sentence.split(/\s+/).length < TELLING_WORDS))
    return sentence;
  if (before !== undefined && before.length <= LONGEST_BEFORE) {
    const joined = `${before} ${sentence}`;
    return words.replace(/\s+/g, " ").includes(joined) ? joined : `${before} … ${sentence}`;
  }
  return lacks && weight === 1 ? undefined : sentence;
}

/** Rules that outlive the request that they were said with. */
const STANDING =
  /\b(?:never|always|ever|under no circumstances|at all costs|from now on|no matter what|niemals|nie|immer|auf keinen fall|jamais|toujours|en aucun cas|nunca|siempre|jam[áa]s|sempre|mai|nooit|altijd|aldrig|alltid|nigdy|zawsze|asla|selalu)(?!\p{L})|никогда|всегда|ни в коем случае|永远|始终|总是|絶対|必ず|常に|절대|항상/iu;

/** Whether a constraint still holds when its request was taken back. */
export function outlivesItsRequest(text: string): boolean {
  return STANDING.test(text);
}
