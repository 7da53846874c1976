// What an entry that is no assistant message says: who or what speaks, and the text.

import { type BashExecutionMessage, textOf } from "../model/messages.ts";
import type { Entry } from "../session/entry.ts";

export interface EntryWords {
  /** `user`, `compaction`, `tool result read`. */
  readonly speaker: string;
  readonly text: string;
  /** How much of the text is shown at once. */
  readonly lines: number;
}

const TALK_LINES = 60;
const OUTPUT_LINES = 12;

export function entryWords(entry: Entry): EntryWords {
  const note = (speaker: string, text: string): EntryWords => ({ speaker, text, lines: OUTPUT_LINES });
  switch (entry.type) {
    case "message":
      return messageWords(entry);
    case "custom_message":
      return {
        speaker: `${entry.customType || "note"}${entry.display ? "" : " (hidden)"}`,
        text: withImages(entry.content),
        lines: TALK_LINES,
      };
    case "compaction":
      return {
        speaker: `compaction of ${entry.tokensBefore.toLocaleString("en")} tokens`,
        text: entry.summary,
        lines: TALK_LINES,
      };
    case "branch_summary":
      return { speaker: "summary of another branch", text: entry.summary, lines: TALK_LINES };
    case "ttsr_injection":
      return note("rules injected", entry.injectedRules.join(", "));
    case "model_change":
      return note("model", `${entry.provider}/${entry.modelId}`);
    case "thinking_level_change":
      return note("thinking level", entry.thinkingLevel);
    case "label":
      return note(
        "label",
        entry.label === undefined ? `removed from ${entry.targetId}` : `${entry.label} on ${entry.targetId}`,
      );
    case "session_info":
      return note("name", entry.name);
    case "custom":
      return note(`custom ${entry.customType}`, JSON.stringify(entry.data, null, 2) ?? "");
    case "unknown":
      return note(`unknown ${entry.originalType}`, JSON.stringify(entry.raw, null, 2));
  }
}

function messageWords(entry: Extract<Entry, { type: "message" }>): EntryWords {
  const { message } = entry;
  switch (message.role) {
    case "user":
      return { speaker: "user", text: withImages(message.content), lines: TALK_LINES };
    case "assistant":
      return { speaker: "assistant", text: textOf(message.content), lines: TALK_LINES };
    case "toolResult":
      return {
        speaker: `tool result ${message.toolName}`,
        text: withImages(message.content),
        lines: OUTPUT_LINES,
      };
    case "bashExecution":
      return { speaker: "user's command", text: bashText(message), lines: OUTPUT_LINES };
    case "custom":
      return {
        speaker: `${message.customType || "note"}${message.display ? "" : " (hidden)"}`,
        text: withImages(message.content),
        lines: TALK_LINES,
      };
    case "branchSummary":
    case "compactionSummary":
      return { speaker: "summary", text: message.summary, lines: TALK_LINES };
  }
}

function bashText({ command, output, exitCode, cancelled }: BashExecutionMessage): string {
  const end = cancelled
    ? "\n(cancelled)"
    : exitCode === undefined || exitCode === 0
      ? ""
      : `\n(exit ${exitCode})`;
  return `$ ${command}\n${output.trimEnd()}${end}`.trimEnd();
}

/** The text, with a mark where an image stood. */
function withImages(content: Parameters<typeof textOf>[0]): string {
  if (typeof content === "string") return content;
  return content
    .map((block) => {
      if (block.type === "text") return block.text;
      return block.type === "image" ? `[image, ${block.mimeType}]` : "";
    })
    .join("\n");
}
