// A session as Markdown: a heading for each speaker, texts as they are, tool calls as lists. A code fence that a text
// leaves open is closed, so that what follows is not code.

import { oneLine } from "../base/text.ts";
import type { Session } from "../session/session.ts";
import { callOutcome, callTarget } from "./call-line.ts";
import { entryWords } from "./entry-words.ts";
import type { RenderContext } from "./render-session.ts";
import type { ShowItem, ShownCall } from "./show-items.ts";

type Clean = RenderContext["clean"];

/** The lines above the first entry. */
export function renderSessionHeadMd({ header, format, size }: Session, clean: Clean): string {
  const facts = [
    ["Directory", code(header.cwd)],
    ["Started", header.timestamp],
    ["Format", format],
    ["Entries", String(size)],
    ["Comes from", header.parentSession === undefined ? "" : code(header.parentSession)],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === "" || value === "``" ? [] : [`- ${name}: ${value}`],
  );
  return clean(`# Session ${header.id}\n\n${lines.join("\n")}\n`);
}

/** One item, a blank line before it. */
export function renderItemMd(item: ShowItem, clean: Clean): string {
  const { entry, offBranch } = item;
  const aside = offBranch ? ", on another branch" : "";
  if (item.kind === "entry") {
    const { speaker, text } = entryWords(entry);
    const body = entryBodyMd(speaker, text);
    return clean(`\n## ${speaker} (${entry.id}${aside})\n${body === "" ? "" : `\n${body}\n`}`);
  }
  const parts: string[] = [];
  let next = 0;
  for (const block of item.message.content) {
    if (block.type === "text") parts.push(closed(block.text.trim()));
    if (block.type !== "toolCall") continue;
    parts.push(renderCall(item.calls[next]));
    next += 1;
  }
  const { stopReason, errorMessage } = item.message;
  if (stopReason === "error" || stopReason === "aborted" || stopReason === "length")
    parts.push(`*(${stopReason}${errorMessage === undefined ? "" : `: ${oneLine(errorMessage, 200)}`})*`);
  const body = parts.filter((part) => part !== "").join("\n\n");
  return clean(`\n## assistant (${entry.id}${aside})\n${body === "" ? "" : `\n${body}\n`}`);
}

/** The text of an entry that is no answer: what a person or a model wrote as it is, everything else as code. */
export function entryBodyMd(speaker: string, text: string): string {
  const isCode = /^(tool result|user's command|custom|unknown)/.test(speaker);
  return isCode ? fenced(text.trimEnd()) : closed(text.trim());
}

function renderCall(shown: ShownCall | undefined): string {
  if (shown === undefined) return "";
  const { call, result, resultId } = shown;
  const target = callTarget(call);
  const outcome = callOutcome(result);
  const id = resultId === undefined ? "" : ` (${resultId})`;
  const line = `- **${call.name}**${target === "" ? "" : ` ${code(target)}`} → ${outcome.text}${id}`;
  return outcome.error === "" ? line : `${line}\n\n${fenced(outcome.error)}`;
}

/** Inline code, with as many backticks as the text needs. */
function code(text: string): string {
  const ticks = "`".repeat(longestRun(text, /`+/g) + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${space}${text}${space}${ticks}`;
}

/** A block of code, with as many backticks as the text needs; nothing for no text. */
export function fenced(text: string): string {
  if (text === "") return "";
  const fence = "`".repeat(Math.max(3, longestRun(text, /`+/g) + 1));
  return `${fence}\n${text}\n${fence}`;
}

function longestRun(text: string, pattern: RegExp): number {
  let longest = 0;
  for (const [run] of text.matchAll(pattern)) longest = Math.max(longest, run.length);
  return longest;
}

/** The text with the fence that it leaves open closed. */
export function closed(text: string): string {
  let open: string | undefined;
  for (const [, run = "", rest = ""] of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (open === undefined) open = run;
    else if (run[0] === open[0] && run.length >= open.length && rest.trim() === "") open = undefined;
  }
  return open === undefined ? text : `${text}\n${open}`;
}
