// Short answers of the user, which say nothing without what they answer: "yes", "do it all", "2", "the second one".

import {
  lastList,
  namedOption,
  namesOption,
  type Option,
  optionAt,
  optionInOrder,
  optionLists,
} from "./options.ts";
import { sentencesOf } from "./sentences.ts";

const MOST_WORDS = 8;
const ASSENTS = wordSet(
  "y yes yep yeah yup ya sure ok okay okey k alright go proceed do agreed lgtm perfect great cool please absolutely definitely exactly correct ja jo klar gerne genau mach los oui ouais accord vas si sí vale dale adelante claro hazlo sim pode claro isso sì certo procedi doe graag да ага давай хорошо конечно tak dobrze evet tamam 好 好的 好吧 可以 是 是的 对 行 嗯 はい うん お願いします いいよ 네 예 좋아 응",
);
/** What may stand beside one. */
const FILLERS = wordSet(
  "it that this them all both so ahead on for now then and the whole thing everything of that's fine good sounds right nice thanks thank you pls course lets let's us i we want would like right away both steps way to me das bitte alles so es ist gut weiter le la tout fais ça d s'il te plaît por favor todo bene allora tutto maar het alles всё это пожалуйста",
);

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

/** Whether the words agree, and say nothing else. */
export function isAssent(words: string): boolean {
  if (words.length > 80) return false;
  const said = words.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [];
  if (said.length === 0 || said.length > MOST_WORDS || /[?？]/.test(words)) return false;
  const plain = said.map((word) => word.replace("’", "'"));
  return (
    plain.some((word) => ASSENTS.has(word)) && plain.every((word) => ASSENTS.has(word) || FILLERS.has(word))
  );
}

const YES =
  /^\W*(?:y|yes|yep|yeah|yup|sure|ja|jo|oui|ouais|sí|sim|sì|да|ага|tak|evet|是的|好的|はい|네|예)(?![\p{L}\p{N}])/iu;

/** Whether the words agree, perhaps under a condition: "yes, but only on Linux". */
export function beginsWithAssent(words: string): boolean {
  return isAssent(words) || (words.length <= 100 && YES.test(words));
}

export interface Choice {
  /** What was chosen, where the message before lists it; else undefined: the words name one of two things asked about. */
  readonly option: string | undefined;
}

/** Words that may stand before a bare label. */
const BEFORE =
  "(?:(?:yes|yeah|yep|ok(?:ay)?|sure|ja|oui|s[ií]|да|let'?s|let us|do|go(?: with| for)?|take|pick|use|try|choose|please|the|i(?:'d| would|'ll)? ?(?:choose|pick|prefer|like|take|go with|say|think)?)[\\s,.:!]+){0,5}";
const BARE_LABELS = new RegExp(
  `^\\W*${BEFORE}#?((?:\\d{1,2}|[a-h])(?:\\s*(?:,|and|&|\\+|und|et|y|和)\\s*(?:\\d{1,2}|[a-h]))*)(?:[,;:—–-]+(?:\\s|$)|\\s+please\\b|[.)!]*\\s*$)`,
  "iu",
);
const BARE_ORDER = new RegExp(
  `^\\W*${BEFORE}(first|1st|second|2nd|third|3rd|fourth|4th|last|former|latter|erste[nrs]?|zweite[nrs]?|dritte[nrs]?)\\W*(?:please)?\\W*$`,
  "iu",
);
const LONGEST_CHOICE = 140;
/** Options stand at the end of a message. */
const LONGEST_BEFORE = 20_000;

/** What the user's words choose of what the message before them offers; undefined where they choose nothing plainly. */
export function choiceOf(words: string, before: string): Choice | undefined {
  if (words.length > LONGEST_CHOICE || /[?？]\s*$/.test(words) || isAssent(words)) return undefined;
  if (BARE_LABELS.test(words) || BARE_ORDER.test(words) || namesOption(words)) {
    const end = before.slice(-LONGEST_BEFORE);
    const listed = optionLists(end).at(-1);
    const options = listed ?? lastList(end);
    const chosen = options.length < 2 ? [] : chosenOf(words, options, listed !== undefined);
    if (chosen.length > 0) return { option: chosen.map((option) => option.text).join(" … ") };
  }
  return namesOneOf(words, before) ? { option: undefined } : undefined;
}

const REJECTS = /\b(?:no|not|n't|don'?t|neither|none|never|without|kein\w*|nicht|pas|нет|不)\b/iu;

/** Says something of an option, not that it be taken. */
const COMPLAINS =
  /\b(?:fail\w*|errors?|br(?:eak|oke)\w*|wrong|crash\w*|why|how|what|worse|bad|slow\w*|bugs?|missing)\b/i;

/** `areOptions`: they were listed to choose from; else only a bare number or place chooses one. */
function chosenOf(words: string, options: readonly Option[], areOptions: boolean): readonly Option[] {
  const labels = BARE_LABELS.exec(words)?.[1];
  const found =
    labels === undefined
      ? []
      : (labels.match(/\d+|[a-h](?![a-z])/gi) ?? []).map((label) => optionAt(label, options));
  if (found.length > 0) return found.every((option) => option !== undefined) ? found : [];
  const place = BARE_ORDER.exec(words)?.[1];
  const one = place === undefined ? undefined : optionInOrder(place, options);
  if (one !== undefined) return [one];
  const named =
    areOptions && !REJECTS.test(words) && !COMPLAINS.test(words) ? namedOption(words, options) : undefined;
  return named === undefined ? [] : [named];
}

/** Words that name nothing. */
const COMMON = wordSet(
  "the a an it it's that this one use do go with i we you think want please just let's for me version actually well hmm hm so now still also maybe then ok okay what how why where when did does is are can could be in on of to and but not all both",
);
const OR = /\bor\b|\bvs\b|\boder\b|\bou\b|还是|或|それとも/iu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}._/-]*/gu;

/** Whether the first words of a short answer name a thing that the last question puts beside another with "or". */
function namesOneOf(words: string, before: string): boolean {
  const first = words.split(/[,.;:!\n—–]| because | since /i)[0]?.toLowerCase() ?? "";
  const named = (first.match(WORD) ?? []).filter((word) => !COMMON.has(word));
  if (named.length === 0 || named.length > 3 || words.length > 100 || REJECTS.test(words)) return false;
  const end = sentencesOf(before.slice(-800), 60).slice(-4);
  if (!end.some((sentence) => /[?？]\W*$/.test(sentence) && OR.test(sentence))) return false;
  const offered = new Set(end.join(" ").toLowerCase().match(WORD) ?? []);
  return named.every((word) => offered.has(word));
}
