// One entry in full: nothing folded, nothing shortened.

import type { AssistantBlock, AssistantMessage } from "../model/messages.ts";
import type { Entry } from "../session/entry.ts";
import { entryWords } from "./entry-words.ts";
import type { RenderContext } from "./render-session.ts";
import { closed, entryBodyMd, fenced } from "./render-session-md.ts";
import { localTime } from "./shown-text.ts";

/** A line that says what it is, then its whole text. */
export function renderWholeEntry(entry: Entry, { paint, clean }: RenderContext): string {
  const { speaker, text } = entryWords(entry);
  const facts = [localTime(entry.timestamp), entry.id, `after ${entry.parentId ?? "nothing"}`];
  const head = `${paint.bold(clean(speaker))}  ${paint.dim(clean(facts.join(" · ")))}\n`;
  const message = entry.type === "message" ? entry.message : undefined;
  const body = message?.role === "assistant" ? wholeAnswer(message, wholeBlock) : text.trimEnd();
  return `${head}\n${body === "" ? "" : `${clean(body)}\n`}`;
}

function wholeAnswer(message: AssistantMessage, block: (block: AssistantBlock) => string): string {
  const { content, stopReason, errorMessage } = message;
  const why = errorMessage === undefined ? "" : `: ${errorMessage}`;
  const isUsual = stopReason === "stop" || stopReason === "toolUse";
  return [...content.map(block), ...(isUsual ? [] : [`(${stopReason}${why})`])].join("\n\n");
}

function wholeBlock(block: AssistantBlock): string {
  switch (block.type) {
    case "text":
      return block.text.trimEnd();
    case "thinking":
      return `(thinking)\n${block.thinking.trimEnd()}`;
    case "toolCall":
      return `> ${block.name} (${block.id})\n${JSON.stringify(block.arguments, null, 2)}`;
  }
}

/** The same as Markdown: a heading, texts as they are, arguments and results as code. */
export function renderWholeEntryMd(entry: Entry, clean: RenderContext["clean"]): string {
  const { speaker, text } = entryWords(entry);
  const message = entry.type === "message" ? entry.message : undefined;
  const body =
    message?.role === "assistant" ? wholeAnswer(message, wholeBlockMd) : entryBodyMd(speaker, text);
  const head = `# ${speaker} (${entry.id})\n\n- Time: ${entry.timestamp}\n- After: ${entry.parentId ?? "nothing"}\n`;
  return clean(`${head}${body === "" ? "" : `\n${body}\n`}`);
}

function wholeBlockMd(block: AssistantBlock): string {
  switch (block.type) {
    case "text":
      return closed(block.text.trim());
    case "thinking":
      return `*Thinking:*\n\n${closed(block.thinking.trim())}`;
    case "toolCall":
      return `**${block.name}** (${block.id})\n\n${fenced(JSON.stringify(block.arguments, null, 2))}`;
  }
}
