// What a short answer answers: the question that a message ends with, and the steps that it lists before that.

import { COURTESY } from "./announced.ts";
import { optionLists } from "./options.ts";

const QUESTION = /[?？]["'”’)*_]*(?:\s|$)/;
const OFFERS =
  /\b(?:want me to|shall i|should i|i can|i could|i'?d suggest|i suggest|let me know|if you(?:'d)? (?:like|want)|ready to)\b|möchtest du|soll ich|voulez-vous|veux-tu|quieres|要我|需要我|しましょうか/i;
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)]|[a-z]\))\s+\S/i;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
/** How far from the end of a message its question stands at most, in lines that are not empty. */
const NEAR_END = 6;
const MOST_LINES = 200;
/** Asks whether the assistant may do something: what is said before is what it would do. */
const ASKS_LEAVE =
  /\b(?:shall|should|may|can|could) (?:i|we)\b|\b(?:want|like) me to\b|\bproceed\b|\bgo ahead\b|\bready (?:to|for)\b|\bok(?:ay)? (?:to|if i)\b|\bi(?: can| could| will| would|'ll|'d)\b|\b(?:soll ich|darf ich|dois-je|puis-je|debo|puedo|posso|devo)\b|要我|需要我|しましょうか/i;

export interface Proposed {
  /** In the message's words, without marks of code blocks; lines of lists and code are parted by ⏎. */
  readonly text: string;
  /** The question or offer alone; empty where it only lists. */
  readonly question: string;
  /** Command lines that it asks leave to run, in order; none where it lists options. */
  readonly commands: readonly string[];
}

/**
 * The last question or offer of a message with the list or the commands before it; else the list that it ends with.
 * Undefined where it asks and offers nothing.
 */
export function proposedBy(text: string): Proposed | undefined {
  const all = text.split("\n").filter((line) => line.trim() !== "");
  const [lines, kinds] = [all.slice(-MOST_LINES), kindsOf(all).slice(-MOST_LINES)];
  const asked = lines.findLastIndex(
    (line, at) => kinds[at] !== "code" && (QUESTION.test(line) || OFFERS.test(line)) && !COURTESY.test(line),
  );
  const isNear = asked >= 0 && asked >= lines.length - NEAR_END;
  const isListed = kinds.at(-1) !== "prose";
  if (!isNear && !isListed) return undefined;
  const start = beginningOf(lines, kinds, isNear ? asked : lines.length);
  const [shown, kindsShown] = [lines.slice(start), kinds.slice(start)];
  const question = isNear ? (lines[asked] ?? "").trim() : "";
  const isPlan = ASKS_LEAVE.test(question) && optionLists(shown.join("\n")).length === 0;
  return { text: joined(shown, kindsShown), question, commands: isPlan ? commandsIn(shown, kindsShown) : [] };
}

/** Programs whose name at the beginning of a line of code says that the line is a command. */
const PROGRAM =
  /^(?:sudo |env |time )?(?:\.{1,2}\/\S+|git|gh|glab|npm|npx|pnpm|yarn|bun|bunx|node|deno|cargo|rustup|go|make|just|docker|docker-compose|podman|kubectl|helm|terraform|ansible-playbook|pip3?|pipx|uv|poetry|python3?|pytest|tox|ruby|bundle|rake|rails|gem|composer|php|dotnet|mvn|gradle|cmake|ctest|curl|wget|ssh|scp|rsync|cp|mv|rm|mkdir|chmod|chown|ln|tar|apt|apt-get|brew|systemctl|psql|mysql|sqlite3|tsc|eslint|biome|prettier|bash|sh)(?= |$)/;
const MOST_COMMANDS = 12;

function commandsIn(lines: readonly string[], kinds: readonly LineKind[]): readonly string[] {
  const found = lines.flatMap((line, at) => {
    if (kinds[at] === "code") return [line.trim().replace(/^\$ /, "")];
    return [...line.matchAll(/`([^`\n]{3,300})`/g)].map(([, code = ""]) => code.trim());
  });
  const commands = found
    .map((command) => command.replace(/\s+#\s.*$/, "").trim())
    .filter(
      (command) => PROGRAM.test(command) && /\S\s+\S/.test(command) && !/<[^>]+>|…|\.\.\./.test(command),
    );
  return [...new Set(commands)].slice(0, MOST_COMMANDS);
}

type LineKind = "code" | "fence" | "item" | "prose";

function kindsOf(lines: readonly string[]): readonly LineKind[] {
  let fenced = false;
  return lines.map((line) => {
    if (FENCE.test(line)) {
      fenced = !fenced;
      return "fence";
    }
    return fenced ? "code" : LIST_ITEM.test(line) ? "item" : "prose";
  });
}

/** Up from the question over lists, code, and the lines that lead to them. */
function beginningOf(lines: readonly string[], kinds: readonly LineKind[], from: number): number {
  let start = from;
  while (start > 0) {
    const isLead = /[:：]\W*$/.test(lines[start - 1] ?? "") && kinds[start] !== "prose";
    if (kinds[start - 1] === "prose" && !isLead) break;
    start -= 1;
  }
  return start;
}

function joined(lines: readonly string[], kinds: readonly LineKind[]): string {
  let text = "";
  for (const [at, line] of lines.entries()) {
    if (kinds[at] === "fence") continue;
    const breaks = kinds[at] !== "prose" || (at > 0 && kinds[at - 1] !== "prose");
    text += `${text === "" ? "" : breaks ? " ⏎ " : " "}${line.trim()}`;
  }
  return text;
}
