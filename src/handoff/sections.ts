// The sections of a handoff document: their names, and finding them in a text that a model wrote.

export const SECTIONS = [
  "Goal",
  "Constraints & Preferences",
  "Progress",
  "Key Decisions",
  "Critical Context",
  "Next Steps",
] as const;

export type SectionName = (typeof SECTIONS)[number];

export interface ParsedDocument {
  /** Text of each section found, its heading taken off, trimmed. */
  readonly sections: Partial<Record<SectionName, string>>;
  readonly missing: readonly SectionName[];
}

/** Wordings of a heading that mean the section; compared without case, marks and articles. */
export type Wordings = readonly (readonly [SectionName, RegExp])[];

const WORDINGS: Wordings = [
  ["Goal", /^(?:the )?(?:goals?|objectives?|overall goal|main goal|purpose|aim|task)(?: (?:and|of) .*)?$/],
  [
    "Constraints & Preferences",
    /^(?:(?:user )?constraints?(?: (?:and )?(?:user )?preferences?)?|(?:user )?preferences?(?: (?:and )?constraints?)?|requirements? (?:and )?constraints?|rules(?: and preferences)?)$/,
  ],
  [
    "Progress",
    /^(?:progress(?: so far| made| report)?|status|current (?:state|status|progress)|work (?:done|so far)|state of (?:the )?work)$/,
  ],
  [
    "Key Decisions",
    /^(?:key |important |design |technical |main )*decisions?(?: made)?(?: (?:and )?(?:rationale|reasons?|reasoning))?$/,
  ],
  [
    "Critical Context",
    /^(?:critical |important |key |additional |technical )+(?:context|information|details|notes)$|^context$/,
  ],
  [
    "Next Steps",
    /^(?:(?:immediate |recommended |suggested )?next (?:steps?|actions?)|what (?:is |s )?next|remaining (?:steps|work)|to ?do(?: list)?)$/,
  ],
];

const SUBSECTIONS = /^(?:done|completed|in progress|pending|blocked|finished|todo)$/;

interface Heading {
  readonly level: number;
  readonly title: string;
  readonly rest: string;
}

interface OpenSection {
  readonly lines: string[];
  readonly level: number;
}

/**
 * Finds the six sections. Levels and order do not matter, nor do numbers, bold marks, colons and small slips of wording;
 * headings inside code fences are text. A section whose body is empty is missing; two of a name are one.
 */
export function parseSections(document: string, wordings: Wordings = WORDINGS): ParsedDocument {
  const bodies = new Map<SectionName, string[]>();
  let current: OpenSection | undefined;
  let fence: string | undefined;
  for (const line of document.split("\n")) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = nextFence(fence, mark, line);
    const heading = fence === undefined && mark === undefined ? headingOf(line) : undefined;
    const name = heading === undefined || isPart(heading, current) ? undefined : sectionOf(heading, wordings);
    if (heading !== undefined && name !== undefined) {
      const lines = bodies.get(name) ?? [];
      lines.push(heading.rest);
      bodies.set(name, lines);
      current = { lines, level: heading.level };
    } else if (heading !== undefined && endsSection(heading, current)) {
      current = undefined;
    } else current?.lines.push(line);
  }
  const sections: Partial<Record<SectionName, string>> = {};
  for (const name of SECTIONS) {
    const text = bodies.get(name)?.join("\n").trim() ?? "";
    if (text !== "") sections[name] = text;
  }
  return { sections, missing: SECTIONS.filter((name) => sections[name] === undefined) };
}

/** `### Pending` under `## Progress`: a part of the section, whatever its name could mean elsewhere. */
function isPart(heading: Heading, current: OpenSection | undefined): boolean {
  return (
    current !== undefined &&
    heading.level > current.level &&
    current.level > 0 &&
    SUBSECTIONS.test(heading.title)
  );
}

/** A heading that is no section ends one of its own level or of a deeper one. */
function endsSection(heading: Heading, current: OpenSection | undefined): boolean {
  if (current === undefined) return false;
  if (heading.level < current.level) return true;
  return heading.level > 0 && heading.level === current.level && !SUBSECTIONS.test(heading.title);
}

/** A fence is closed by the same mark, at least as long, with nothing behind it. */
function nextFence(open: string | undefined, mark: string, line: string): string | undefined {
  if (open === undefined) return mark;
  const closes = mark[0] === open[0] && mark.length >= open.length && line.trim() === mark;
  return closes ? undefined : open;
}

/** `## Goal`, `**Goal:** text`, `2. **Goal**`, `Goal:` alone on its line. */
function headingOf(line: string): Heading | undefined {
  if (line.length > 200) return undefined;
  const hashes = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line);
  if (hashes !== null) return { level: hashes[1]?.length ?? 1, title: plainTitle(hashes[2] ?? ""), rest: "" };
  const bold =
    /^\s{0,3}(?:\d+[.)]\s+)?\*\*(.+?)\*\*\s*:?\s*(.*)$/.exec(line) ??
    /^\s{0,3}(?:\d+[.)]\s+)?__(.+?)__\s*:?\s*(.*)$/.exec(line);
  if (bold !== null) return { level: 0, title: plainTitle(bold[1] ?? ""), rest: bold[2] ?? "" };
  const colon = /^(?:\d+[.)]\s+)?([A-Z][\w &/]{2,40}):\s*$/.exec(line);
  return colon === null ? undefined : { level: 0, title: plainTitle(colon[1] ?? ""), rest: "" };
}

function plainTitle(title: string): string {
  return title
    .replace(/[*_`:]/g, "")
    .replace(/^\s*(?:\d+(?:\.\d+)*[.)]?|[a-z][.)]|[ivx]+[.)])\s+/i, "")
    .replace(/[&/+]/g, " and ")
    .replace(/[^\p{L}\p{N} ]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

function sectionOf(heading: Heading, wordings: Wordings): SectionName | undefined {
  return wordings.find(([, wording]) => wording.test(heading.title))?.[0];
}

/** The document without a code fence that stands around the whole of it. */
export function plainDocument(text: string): string {
  const trimmed = text.trim();
  const fenced = /^(`{3,}|~{3,})(?:markdown|md)?[ \t]*\n([\s\S]*)\n\1$/.exec(trimmed);
  const inner = fenced?.[2];
  if (inner === undefined || /^(?:`{3,}|~{3,})/m.test(inner)) return trimmed;
  return inner.trim();
}

/** `document` with the sections of `missing` that `addition` has, at its end. */
export function fillSections(document: string, addition: string, missing: readonly SectionName[]): string {
  const found = parseSections(addition).sections;
  const added = missing.flatMap((name) => {
    const text = found[name];
    return text === undefined ? [] : [`## ${name}\n${text}`];
  });
  return added.length === 0 ? document : `${closeFence(document)}\n\n${added.join("\n\n")}`;
}

/** A fence that the text leaves open is closed, so that what follows is not code. */
export function closeFence(text: string): string {
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = nextFence(fence, mark, line);
  }
  return fence === undefined ? text : `${text}\n${fence}`;
}
