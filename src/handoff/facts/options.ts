// Lists of options in an answer, and which of them a sentence names. An option is no decision: what was chosen among them is.

export interface Option {
  /** `2`, `b`; of a list without either, its number. In lower case. */
  readonly label: string;
  readonly text: string;
  /** It calls itself an option. */
  readonly isNamed: boolean;
}

interface List {
  readonly options: Option[];
  /** The line before it, and the lines after it. */
  readonly lead: string;
  after: string;
  readonly lines: number[];
  open: boolean;
}

const ITEM = /^\s*(?:([-*+•])|(\d{1,2}|[a-zA-Z])[.)])\s+(\S.*)$/;
/** `### Option B: …`, `**Approach 1** …`. */
const NAMED =
  /^\s*(?:#{1,6}\s+|[-*+•]\s+|\d{1,2}[.)]\s+)?(?:\*\*|__)?(?:option|alternative|approach|variante?|plan|möglichkeit|opci[óo]n|opç[ãa]o|opzione|optie|вариант|方案|选项)\s*#?(\d{1,2}|[a-h])(?![\p{L}\p{N}])\W{0,4}(.*)$/iu;
const LEADS =
  /\b(?:options?|approaches|alternatives?|choices?|possibilit(?:y|ies)|ways|variants?|strategies|either|(?:we|you|i) (?:can|could)|optionen|möglichkeiten|alternativen|varianten|opciones|opções|opzioni|opties)\b|вариант|方案|选项|选择|案/iu;
const ASKS_WHICH =
  /\bwhich\b|\b(?:option|approach|alternative|variant|solution) (?:#?\d|[a-h]\b)|\bprefer\b|\bpreference\b|哪|どちら|welche|laquelle|lequel|cu[áa]l|qual\b/iu;
const MOST_LINES = 2_000;

/** The lists of options of a text, in its order. */
export function optionLists(text: string): readonly (readonly Option[])[] {
  return listsOf(text.split("\n", MOST_LINES))
    .filter(isChoice)
    .map((list) => list.options);
}

/** Its last list of any kind: what a bare number that answers it is about. */
export function lastList(text: string): readonly Option[] {
  return listsOf(text.split("\n", MOST_LINES)).at(-1)?.options ?? [];
}

/** The text without the lines of its options. */
export function withoutOptions(text: string): string {
  const lines = text.split("\n");
  const dropped = new Set(
    listsOf(lines.slice(0, MOST_LINES))
      .filter(isChoice)
      .flatMap((list) => list.lines),
  );
  return dropped.size === 0 ? text : lines.filter((_, at) => !dropped.has(at)).join("\n");
}

function isChoice({ options, lead, after }: List): boolean {
  if (options.length < 2) return false;
  // "I think option 2 is best:" leads to what it means.
  const leads = LEADS.test(lead) && !BY_LABEL.test(lead);
  return leads || ASKS_WHICH.test(after) || options.every((option) => option.isNamed);
}

function listsOf(lines: readonly string[]): readonly List[] {
  const lists: List[] = [];
  let previous = "";
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "" || line.length > 2_000) continue;
    const last = lists.at(-1);
    const option = optionOf(line, last);
    if (option !== undefined) {
      const joins = last?.open === true && option.label !== last.options[0]?.label;
      const list = joins ? last : { options: [], lead: previous, after: "", lines: [], open: true };
      if (!joins) lists.push(list);
      list.options.push(option);
      list.lines.push(at);
      previous = line;
      continue;
    }
    if (last !== undefined) takeOther(last, line, at);
    previous = line;
  }
  return lists;
}

/** What follows an item on a line that is moved in belongs to it; anything else ends the list. */
function takeOther(list: List, line: string, at: number): void {
  if (list.open && /^\s{2,}/.test(line)) {
    list.lines.push(at);
    return;
  }
  list.open = false;
  if (list.after.length < 400) list.after += `${line}\n`;
}

function optionOf(line: string, list: List | undefined): Option | undefined {
  const named = NAMED.exec(line);
  if (named !== null) {
    const [, label = "", rest = ""] = named;
    const told = rest.replace(/\*\*/g, "").trim();
    return { label: label.toLowerCase(), text: told === "" ? line.trim() : told, isNamed: true };
  }
  const item = ITEM.exec(line);
  // A list in a list tells of its item.
  if (item === null || /^\s{2,}/.test(line)) return undefined;
  const [, , label, text = ""] = item;
  const count = list?.open === true ? list.options.length : 0;
  return { label: (label ?? String(count + 1)).toLowerCase(), text: text.trim(), isNamed: false };
}

const NOUN =
  "option|approach|alternative|variante?|solution|choice|number|plan|möglichkeit|lösung|opci[óo]n|opç[ãa]o|opzione|optie|вариант|方案|选项|オプション";
/** "a" is a label only where it is no article. */
const LABEL =
  "\\d{1,2}|[b-h]|a(?=\\W*$|[,.;:)*]|\\s+(?:is|makes|seems|sounds|looks|because|since|with|and|or|please)(?!\\p{L}))";
const BY_LABEL = new RegExp(`(?<![\\p{L}\\p{N}])(?:${NOUN})\\s*#?(${LABEL})(?![\\p{L}\\p{N}])`, "iu");
const BY_ORDER = new RegExp(
  `\\b(first|1st|second|2nd|third|3rd|fourth|4th|last|former|latter|erste[nrs]?|zweite[nrs]?|dritte[nrs]?) (?:${NOUN}|one|way|idea)\\b`,
  "iu",
);
const ORDER: readonly RegExp[] = [
  /^(?:first|1st|former|erste)/i,
  /^(?:second|2nd|zweite)/i,
  /^(?:third|3rd|dritte)/i,
  /^(?:fourth|4th)/i,
];

/** Whether a sentence names an option, whatever was listed. */
export function namesOption(sentence: string): boolean {
  return BY_LABEL.test(sentence) || BY_ORDER.test(sentence);
}

/** The option that a sentence names by its label or place: `option 2`, `the second approach`. */
export function namedOption(sentence: string, options: readonly Option[]): Option | undefined {
  const label = BY_LABEL.exec(sentence)?.[1];
  if (label !== undefined) return optionAt(label, options);
  const place = BY_ORDER.exec(sentence)?.[1];
  return place === undefined ? undefined : optionInOrder(place, options);
}

/** The option with this label; of options that have numbers, `b` is the second, and the other way round. */
export function optionAt(label: string, options: readonly Option[]): Option | undefined {
  const wanted = label.toLowerCase();
  const found = options.find((option) => option.label === wanted);
  if (found !== undefined) return found;
  const index = /^\d+$/.test(wanted) ? Number(wanted) - 1 : wanted.charCodeAt(0) - "a".charCodeAt(0);
  return options[index];
}

/** The option at a place that is said in words: `second`, `last`. */
export function optionInOrder(place: string, options: readonly Option[]): Option | undefined {
  if (/^(?:last|latter)/i.test(place)) return options.at(-1);
  return options[ORDER.findIndex((wording) => wording.test(place))];
}
