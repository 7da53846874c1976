// One entry in full: nothing folded, nothing shortened.

import type { AssistantBlock } from "../model/messages.ts";
import type { Entry } from "../session/entry.ts";
import { entryWords } from "./entry-words.ts";
import type { RenderContext } from "./render-session.ts";
import { localTime } from "./shown-text.ts";

/** A line that says what it is, then its whole text. */
export function renderWholeEntry(entry: Entry, { paint, clean }: RenderContext): string {
  const { speaker, text } = entryWords(entry);
  const facts = [localTime(entry.timestamp), entry.id, `after ${entry.parentId ?? "nothing"}`];
  const head = `${paint.bold(clean(speaker))}  ${paint.dim(clean(facts.join(" · ")))}\n`;
  const message = entry.type === "message" ? entry.message : undefined;
  const body = message?.role === "assistant" ? message.content.map(wholeBlock).join("\n\n") : text.trimEnd();
  return `${head}\n${body === "" ? "" : `${clean(body)}\n`}`;
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
