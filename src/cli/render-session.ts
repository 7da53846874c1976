// A session for a reader: roles, times, tool calls folded to a line each, long texts shortened.

import { oneLine, plural } from "../base/text.ts";
import type { AssistantMessage } from "../model/messages.ts";
import type { Session } from "../session/session.ts";
import { callOutcome, callTarget } from "./call-line.ts";
import { entryWords } from "./entry-words.ts";
import type { Paint } from "./paint.ts";
import type { ShowItem, ShownCall } from "./show-items.ts";
import { indented, localTime, shortened } from "./shown-text.ts";

export interface RenderContext {
  readonly paint: Paint;
  /** What becomes of every text of the session before it is shown: secrets out, control characters visible. */
  readonly clean: (text: string) => string;
}

/** The lines above the first entry. */
export function renderSessionHead(session: Session, { paint, clean }: RenderContext): string {
  const { header, format, size } = session;
  const name = lastName(session) ?? header.title ?? "";
  const facts = [
    header.cwd,
    localTime(header.timestamp),
    `${size.toLocaleString("en")} ${size === 1 ? "entry" : "entries"}`,
    format,
  ];
  const about = [facts.filter((fact) => fact !== "").join(" · ")];
  if (header.parentSession !== undefined) about.push(`comes from ${header.parentSession}`);
  const title = `${paint.bold(clean(header.id))}${name === "" ? "" : `  ${clean(oneLine(name, 100))}`}\n`;
  return title + about.map((line) => `${paint.dim(clean(line))}\n`).join("");
}

function lastName(session: Session): string | undefined {
  for (let index = session.size - 1; index >= 0; index--) {
    if (session.typeAt(index) !== "session_info") continue;
    const entry = session.entryAt(index);
    if (entry.type === "session_info" && entry.name !== "") return entry.name;
  }
  return undefined;
}

const TALK_LINES = 60;
const THINKING_LENGTH = 100;

/** One item, a blank line before it. */
export function renderItem(item: ShowItem, context: RenderContext): string {
  return item.kind === "assistant" ? renderAssistant(item, context) : renderEntry(item, context);
}

function renderEntry(item: ShowItem, context: RenderContext): string {
  const { entry } = item;
  const { paint, clean } = context;
  const { speaker, text, lines } = entryWords(entry);
  const name = speaker === "user" ? paint.bold(paint.cyan(speaker)) : paint.yellow(clean(speaker));
  const body = clean(shortened(text.trimEnd(), lines, entry.id));
  return `\n${heading(name, item, context)}${body === "" ? "" : `${indented(body)}\n`}`;
}

function heading(name: string, { entry, offBranch }: ShowItem, { paint, clean }: RenderContext): string {
  const facts = [localTime(entry.timestamp), clean(entry.id), ...(offBranch ? ["on another branch"] : [])];
  return `${name}  ${paint.dim(facts.filter((fact) => fact !== "").join(" · "))}\n`;
}

function renderAssistant(item: Extract<ShowItem, { kind: "assistant" }>, context: RenderContext): string {
  const { entry, message, calls } = item;
  const { paint, clean } = context;
  const name = `${paint.bold(paint.green("assistant"))} ${paint.dim(clean(message.model))}`.trimEnd();
  const parts: string[] = [];
  let next = 0;
  for (const block of message.content) {
    if (block.type === "thinking") parts.push(renderThinking(block.thinking, context));
    else if (block.type === "text")
      parts.push(indented(clean(shortened(block.text.trim(), TALK_LINES, entry.id))));
    else {
      parts.push(renderCall(calls[next], context));
      next += 1;
    }
  }
  parts.push(renderEnd(message, context));
  const body = parts.filter((part) => part !== "").map((part) => `${part}\n`);
  return `\n${heading(name, item, context)}${body.join("")}`;
}

function renderThinking(text: string, { paint, clean }: RenderContext): string {
  const lines = text.trim().split("\n");
  if (text.trim() === "") return "";
  const more = lines.length > 1 ? ` (${plural(lines.length, "line")})` : "";
  return indented(paint.dim(`thinking: ${clean(oneLine(lines[0] ?? "", THINKING_LENGTH))}${more}`));
}

function renderCall(shown: ShownCall | undefined, { paint, clean }: RenderContext): string {
  if (shown === undefined) return "";
  const { call, result, resultId } = shown;
  const outcome = callOutcome(result);
  const end = outcome.ok ? paint.dim(outcome.text) : paint.red(outcome.text);
  const id = resultId === undefined ? "" : paint.dim(`  ${clean(resultId)}`);
  const target = clean(callTarget(call));
  const line = `> ${paint.bold(clean(call.name))}${target === "" ? "" : ` ${target}`} → ${end}${id}`;
  return indented(outcome.error === "" ? line : `${line}\n${indented(clean(outcome.error), "    ")}`);
}

/** What the end of a message says when it is not the usual one. */
function renderEnd(message: AssistantMessage, { paint, clean }: RenderContext): string {
  const { stopReason, errorMessage } = message;
  const why = errorMessage === undefined ? "" : `: ${oneLine(clean(errorMessage), 200)}`;
  switch (stopReason) {
    case "stop":
    case "toolUse":
      return "";
    case "length":
      return indented(paint.yellow("(cut off: the model's limit of tokens was reached)"));
    case "error":
      return indented(paint.red(`(ended by an error${why})`));
    case "aborted":
      return indented(paint.yellow(`(aborted${why})`));
  }
}
