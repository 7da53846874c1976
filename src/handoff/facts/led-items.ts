// Items under a line that says what they are: "it should" and a list, "Rules:" and a list. Alone, such a line says nothing
// and its items do not look like rules.

import { constraintStrength } from "./constraint-words.ts";

export interface LedItem {
  /** As it is quoted: behind its lead where that is part of the sentence. */
  readonly text: string;
  readonly weight: 1 | 2;
}

export interface LedItems {
  readonly items: readonly LedItem[];
  /** Lines that only lead to items. */
  readonly leads: ReadonlySet<string>;
}

const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)]|[a-z]\))\s+/;
const ENDS_OPEN =
  /(?:^|\s)(?:should|must|shall|needs? to|ha(?:s|ve) to|soll(?:te)?|muss|doit|debe|deve|moet)\s*(?:…|\.\.\.|:)?$/i;
const TITLE =
  /^\s*(?:#+\s*|\*\*)?(?:(?:ground|project|house|our|the|my|some|hard) )*(?:rules|constraints|requirements|guidelines|conventions|restrictions|preferences|regeln|vorgaben|einschränkungen|règles|contraintes|reglas|restricciones|regras|regole|regels|правила|ограничения|规则|要求|约束|ルール|制約|규칙)(?: for [^:\n]{1,40})?\s*(?:[:：]\s*(?:\*\*)?|\*\*\s*[:：]?)?\s*$/iu;
const MOST_ITEMS = 12;

interface Lead {
  readonly before: string;
  readonly weight: 1 | 2;
  /** Items are list items; else every line up to an empty one is an item. */
  readonly listed: boolean;
  count: number;
}

/** The items that lines of `text` lead to, and those lines. Items that are rules by their own words are left out. */
export function ledItems(text: string): LedItems {
  const items: LedItem[] = [];
  const leads = new Set<string>();
  let lead: Lead | undefined;
  let leadLine = "";
  for (const line of text.split("\n", 2_000)) {
    const bare = line.replace(BULLET, "").trim();
    if (bare === "") {
      // Behind an empty line only a list still belongs to what leads to it.
      if (lead !== undefined) lead = lead.count > 0 ? undefined : { ...lead, listed: true };
      continue;
    }
    const isItem = lead !== undefined && (!lead.listed || BULLET.test(line)) && lead.count < MOST_ITEMS;
    if (lead !== undefined && isItem) {
      lead.count += 1;
      leads.add(leadLine);
      if (bare.length <= 300 && constraintStrength(bare) === 0)
        items.push({ text: quoted(lead, bare), weight: lead.weight });
      continue;
    }
    lead = leadOf(bare);
    leadLine = bare;
  }
  return { items, leads };
}

/** White space aside, the first item stands in the text as it is quoted; the others are behind others. */
function quoted({ before, count }: Lead, item: string): string {
  if (before === "") return item;
  return count === 1 ? `${before} ${item}` : `${before} … ${item}`;
}

function leadOf(line: string): Lead | undefined {
  if (line.length > 160) return undefined;
  if (TITLE.test(line)) return { before: "", weight: 2, listed: true, count: 0 };
  if (ENDS_OPEN.test(line)) {
    const weight = /must|muss|shall|need|ha(?:s|ve) to|doit|debe|deve|moet/i.test(line) ? 2 : 1;
    return { before: line, weight, listed: false, count: 0 };
  }
  const strength = /[:：]$/.test(line) ? constraintStrength(line) : 0;
  return strength === 0 ? undefined : { before: line, weight: 1, listed: true, count: 0 };
}
