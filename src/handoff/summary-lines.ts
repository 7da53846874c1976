// Lines from a document that stands for earlier work: the summary of a compaction, or the handoff that the session began
// with. It may be the only record of the early work, so its sections are carried over, quoted line by line.

import { shortCommand } from "./command-lines.ts";
import type { Facts, SummaryFact } from "./facts/facts.ts";
import type { EvidenceGroup, Line, Place } from "./line.ts";
import { parseSections, type SectionName, type Wordings } from "./sections.ts";
import {
  asQuotation,
  isWorthTelling,
  openCommand,
  splitEvidence,
  type ToldLine,
  toldLine,
} from "./told-before.ts";

const TARGET: readonly (readonly [SectionName, Place, number])[] = [
  ["Goal", "goal", 89],
  ["Constraints & Preferences", "constraints", 91],
  ["Progress", "done", 79],
  ["Key Decisions", "decisions", 83],
  ["Critical Context", "context", 78],
  ["Next Steps", "next", 76],
];

/** Where lines of an earlier document's evidence go, and how much they are needed; others are not carried over. */
const EVIDENCE_TARGET: Partial<Record<EvidenceGroup, readonly [Place, number]>> = {
  "User constraints": ["constraints", 86],
  "Failing commands": ["context", 77],
  "Open errors": ["context", 76],
  Decisions: ["decisions", 75],
  Tasks: ["pending", 74],
  Git: ["context", 72],
  Tests: ["context", 71],
  "Files changed": ["done", 70],
  Commits: ["done", 66],
  "Earlier work": ["context", 62],
  "User requests": ["goal", 60],
  Commands: ["context", 58],
};

/** Headings of the summaries that agents write when they compact; compared as those of documents are. */
const SUMMARY_WORDINGS: Wordings = [
  [
    "Goal",
    /^(?:(?:the )?goals?|objectives?|task|primary request and intent|user (?:request|intent)s?|overview|problem)$/,
  ],
  [
    "Constraints & Preferences",
    /^(?:constraints?(?: and preferences?)?|preferences?|requirements?|user (?:preferences|instructions|constraints)|all user messages)$/,
  ],
  [
    "Progress",
    /^(?:progress|done|completed(?: work)?|work (?:done|completed)|now|current (?:work|state|status)|status|files and code sections|changes(?: made)?|what was done)$/,
  ],
  ["Key Decisions", /^(?:key |technical |important )*decisions?$/],
  [
    "Critical Context",
    /^(?:(?:critical |important |key )?context|facts|errors and fixes|errors?|open (?:questions|issues)|problem solving|key (?:technical concepts|learnings|findings)|findings|notes)$/,
  ],
  [
    "Next Steps",
    /^(?:(?:optional )?next(?: steps?)?|pending(?: tasks?)?|remaining(?: work| tasks)?|to ?do)$/,
  ],
];

/** A summary after which this many messages came is old: what was next then may be done now. */
const OLD_AFTER = 3;

/** What this session did itself. */
type Own = Pick<Facts, "constraints" | "commands" | "tasks" | "cwd">;

/** Lines of the last summaries, with the id of the entry that holds them. */
export function summaryLines(facts: Own & Pick<Facts, "summaries">): readonly Line[] {
  const said = new Set(facts.constraints.map((fact) => bare(fact.text)));
  return facts.summaries.slice(-3).flatMap((summary) => {
    const isHandoff = summary.kind === "handoff";
    const { body, evidence } = isHandoff ? splitEvidence(summary.text) : { body: summary.text, evidence: [] };
    const { sections } = parseSections(body, SUMMARY_WORDINGS);
    const named = TARGET.flatMap(([name, place, score]) =>
      bodyLines(sections[name] ?? "", name)
        .filter((item) => name !== "Constraints & Preferences" || !said.has(bare(item.text)))
        .flatMap((item, index) =>
          summaryLine(summary, item, { place: item.place ?? place, score: score - 2 * index, own: facts }),
        ),
    );
    const shown = evidence.flatMap(({ group, text }, index) => {
      const [place, score] = EVIDENCE_TARGET[group] ?? [];
      if (place === undefined || score === undefined) return [];
      const at = { place: taskPlace(text) ?? place, score: score - index / 4, own: facts };
      return summaryLine(summary, { text, place }, at);
    });
    if (named.length > 0) return [...named, ...shown];
    return bodyLines(summary.text, "Goal").flatMap((item, index) =>
      summaryLine(summary, item, { place: "context", score: 88 - 3 * index, own: facts }),
    );
  });
}

interface At {
  readonly place: Place;
  readonly score: number;
  readonly own: Own;
}

/** How much is needed what is still to be done. */
const OPEN_SCORE = 88;

/** None where the line is over: this session ran the command itself, or its story is told. */
function summaryLine(
  summary: SummaryFact,
  item: BodyLine,
  { place: where, score, own }: At,
): readonly Line[] {
  const isHandoff = summary.kind === "handoff";
  const told: ToldLine = isHandoff
    ? toldLine(item.text)
    : { text: item.text, isOlder: false, state: undefined };
  if (isHandoff && !isWorthTelling(told)) return [];
  const command = isHandoff ? openCommand(told.text) : undefined;
  if (command !== undefined && ranItself(command, own)) return [];
  const isOpenTask = isHandoff && /^\[[ ~]\] /.test(told.text);
  const isOld = summary.messagesSince >= OLD_AFTER || told.isOlder;
  const place = told.state === undefined ? where : PLACE_THEN[told.state];
  const stays = isOpenTask ? own.tasks.length === 0 : command !== undefined;
  const stale = isOld && !stays && (place === "inProgress" || place === "next");
  const then = isOld ? THEN[place] : undefined;
  const from = told.isOlder ? FROM_BEFORE : FROM[summary.kind];
  return [
    {
      place: stale ? undefined : isOpenTask && isOld ? "pending" : place,
      group: "Earlier work",
      score: stays ? Math.max(score, OPEN_SCORE) : score,
      text: `${from}${then ?? ""}: ${asQuotation(told.text, 260)} [${summary.entryId}]`,
    },
  ];
}

/** Whether the command that an earlier session left open ran in this one: then its own state is told. */
function ranItself(command: string, { commands, cwd }: Own): boolean {
  const name = command.replace(/…$/, "").slice(0, 60);
  return commands.some((fact) => shortCommand(fact.command, cwd).startsWith(name));
}

const PLACE_THEN = { "in progress": "inProgress", pending: "pending", next: "next" } as const;

/** A task says by its mark how far it came. */
function taskPlace(text: string): Place | undefined {
  if (text.startsWith("[x] ")) return "done";
  return text.startsWith("[~] ") ? "inProgress" : undefined;
}

const FROM_BEFORE = "From a handoff before that";
const FROM = {
  compaction: "From the summary",
  handoff: "From the earlier handoff",
  branch: "From another branch",
} as const;

/** What is said of a state that may be over. */
const THEN: Partial<Record<Place, string>> = {
  inProgress: ", in progress then",
  pending: ", pending then",
  next: ", next then",
};

/** Letters alone, for comparing what is said in two ways of writing. */
function bare(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** What stands under a heading that has nothing. */
const EMPTY = /^(?:none|nothing|none stated|see the evidence|no request in the session)$/;

interface BodyLine {
  readonly text: string;
  readonly place: Place | undefined;
}

/** Its paragraphs and list items, each under `Done`, `In Progress` or `Pending` where such a heading stands above it. */
function bodyLines(text: string, section: SectionName): readonly BodyLine[] {
  let place: Place | undefined;
  let fenced = false;
  return text.split("\n").flatMap((line): readonly BodyLine[] => {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const bare = line.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, "").trim();
    if (fenced || bare === "" || /^(?:```|~~~|-{3,}|_{3,})/.test(bare)) return [];
    const title = bare
      .replace(/[#*_:.()]/g, "")
      .trim()
      .toLowerCase();
    if (
      section === "Progress" &&
      /^(?:done|completed|in progress|pending|blocked|todo|remaining)$/.test(title)
    ) {
      place = /^(?:done|completed)$/.test(title)
        ? "done"
        : title === "in progress"
          ? "inProgress"
          : "pending";
      return [];
    }
    if (/^#{1,6}\s/.test(bare) || EMPTY.test(title)) return [];
    return [{ text: bare, place }];
  });
}
