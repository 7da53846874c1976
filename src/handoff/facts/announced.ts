// What an answer itself says is still to do: the list under "Next steps", "Remaining", "TODO", and sentences that say so.

import { clip } from "./clip.ts";
import type { QuoteFact } from "./facts.ts";
import { sentencesOf } from "./sentences.ts";

const HEADING =
  /^[\s>#*_]*(?:\d+[.)]\s*)?(?:next steps?|remaining(?: (?:work|steps|tasks|issues))?|still (?:to do|open|missing)|to-?do|what'?s (?:left|next)|left to do|follow.?ups?|not (?:yet )?done|pending|open (?:questions|issues|points)|known issues|nächste schritte|noch offen|offen|prochaines étapes|reste à faire|próximos pasos|pendientes?|próximos passos|prossimi passi|volgende stappen|следующие шаги|осталось)(?![\p{L}\p{N}])[^\n]{0,60}$|^[\s>#*_]*(?:下一步|后续|待办|剩余|次のステップ|残り|다음 단계|남은)[^\n]{0,60}$/iu;
const ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ ]\]\s+)?(.+)$/;
const SAYS =
  /\b(?:still (?:needs?|fails?|failing|missing|to do)|not yet|remains? to|yet to be|next(?:,| step| I)|i(?:'ll| will) (?:now|next|then)|todo\b|left to|should (?:now|next)|needs? to be (?:done|fixed|added))\b|noch nicht|muss noch|reste à|falta\b|осталось|还需要|尚未|まだ|아직/iu;

/** At most eight, in the answer's order. */
export function announcedSteps(text: string, entryId: string): readonly QuoteFact[] {
  const tail = text.length > 20_000 ? text.slice(-20_000) : text;
  const listed = listedSteps(tail.split("\n"));
  const steps =
    listed.length > 0
      ? listed
      : sentencesOf(tail, 200)
          .filter((sentence) => SAYS.test(sentence))
          .slice(-3);
  return steps.slice(0, 8).map((step) => ({ text: clip(step, 220), weight: 1, entryId }));
}

/** The items under the last heading that announces them, up to the next blank text or heading. */
function listedSteps(lines: readonly string[]): readonly string[] {
  const at = lines.findLastIndex(
    (line) =>
      line.length < 120 && HEADING.test(line.replace(/[:：]\s*(?:\*\*)?\s*$/, "").replace(/\*\*$/, "")),
  );
  if (at < 0) return [];
  const items: string[] = [];
  for (const line of lines.slice(at + 1)) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) items.push(item);
    else if (line.trim() !== "" && items.length > 0 && !/^\s/.test(line)) break;
    else if (/^#{1,6}\s/.test(line)) break;
  }
  return items;
}

/** Asks for nothing in particular. */
export const COURTESY = /\bhow (?:can|may) i (?:help|assist)|\banything else\b/i;

/** The question that an answer ends with, among its last three sentences; undefined if it asks nothing. */
export function openQuestion(text: string, entryId: string): QuoteFact | undefined {
  const tail = text.length > 4_000 ? text.slice(-4_000) : text;
  const question = sentencesOf(tail, 400)
    .slice(-3)
    .findLast((sentence) => /[?？]["'”’)*_]*$/.test(sentence) && !COURTESY.test(sentence));
  return question === undefined ? undefined : { text: clip(question, 240), weight: 1, entryId };
}
