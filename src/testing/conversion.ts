// Foreign sessions of fixtures/sessions, converted, and entries told in one line each, so that a test can compare a whole
// session with a list that a person can read.

import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AssistantBlock, ContentBlock, Message } from "../model/messages.ts";
import type { Entry, SessionHeader } from "../session/entry.ts";
import { convertSession } from "../session/formats/convert.ts";
import type { ConversionOptions, ForeignFormatName } from "../session/formats/format.ts";
import { recogniseFormat } from "../session/formats/recognise.ts";
import type { ConversionReport } from "../session/formats/report.ts";

export interface ConvertedSession {
  readonly header: SessionHeader;
  readonly entries: readonly Entry[];
  readonly lines: readonly number[];
  readonly report: ConversionReport;
}

export const FIXTURES = join(import.meta.dirname, "../../fixtures/sessions");

export function fixtureBytes(name: string): Uint8Array {
  return readFileSync(join(FIXTURES, name));
}

/** Recognises and converts; fails the test for a file of no foreign format. */
export function convertFixture(name: string, options?: ConversionOptions): Promise<ConvertedSession> {
  return convertBytes(fixtureBytes(name), options);
}

export async function convertBytes(
  bytes: Uint8Array,
  options?: ConversionOptions,
): Promise<ConvertedSession> {
  const recognition = recogniseFormat(bytes);
  if (recognition.kind !== "session") throw new Error(`not recognised: ${recognition.seen}`);
  return await convertAs(recognition.format as ForeignFormatName, bytes, options);
}

export async function* chunksOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

/** Objects or lines as a file. */
export function jsonLines(...lines: readonly (object | string)[]): Uint8Array {
  return Buffer.from(
    lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
  );
}

export function convertAs(
  format: ForeignFormatName,
  bytes: Uint8Array,
  options?: ConversionOptions,
): Promise<ConvertedSession> {
  return convertChunks(format, [bytes], options);
}

export async function convertChunks(
  format: ForeignFormatName,
  chunks: readonly Uint8Array[],
  options?: ConversionOptions,
): Promise<ConvertedSession> {
  const items = await Array.fromAsync(
    convertSession({ format, chunks: chunksOf(...chunks), ...(options === undefined ? {} : { options }) }),
  );
  const [first, ...rest] = items;
  const last = rest.at(-1);
  if (first?.kind !== "header" || last?.kind !== "report")
    throw new Error("no header first, or no report last");
  const entries = rest.slice(0, -1).flatMap((item) => (item.kind === "entry" ? [item] : []));
  return {
    header: first.header,
    entries: entries.map((item) => item.entry),
    lines: entries.map((item) => item.line),
    report: last.report,
  };
}

/** One line an entry: what it is and what it says. */
export function outline(entries: readonly Entry[]): readonly string[] {
  return entries.map(outlineEntry);
}

/** The outline without `custom` entries and model changes. */
export function conversation(entries: readonly Entry[]): readonly string[] {
  const shown = entries.filter((entry) => ["message", "custom_message", "compaction"].includes(entry.type));
  return outline(shown);
}

function outlineEntry(entry: Entry): string {
  switch (entry.type) {
    case "message":
      return outlineMessage(entry.message);
    case "custom_message":
      return `injected ${entry.customType}: ${contentText(entry.content)}`;
    case "custom":
      return `custom ${entry.customType}`;
    case "compaction":
      return `compaction of ${entry.tokensBefore}: ${entry.summary}`;
    case "model_change":
      return `model ${entry.provider}/${entry.modelId}`;
    case "thinking_level_change":
      return `thinking level ${entry.thinkingLevel}`;
    case "session_info":
      return `name ${entry.name}`;
    default:
      return entry.type;
  }
}

function outlineMessage(message: Message): string {
  switch (message.role) {
    case "user":
      return `user: ${contentText(message.content)}`;
    case "assistant":
      return `assistant, ${message.stopReason}: ${message.content.map(blockText).join(" + ")}`;
    case "toolResult": {
      const failed = message.isError ? ", failed" : "";
      return `result of ${message.toolName} ${message.toolCallId}${failed}: ${contentText(message.content)}`;
    }
    case "bashExecution":
      return `bash: ${message.command} → ${message.output}`;
    default:
      return message.role;
  }
}

function contentText(content: string | readonly ContentBlock[]): string {
  return typeof content === "string" ? content : content.map(blockText).join(" + ");
}

function blockText(block: AssistantBlock | ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return `(${block.thinking})`;
    case "toolCall":
      return `${block.name} ${block.id} ${JSON.stringify(block.arguments)}`;
    case "image":
      return `<${block.mimeType}, ${block.data.length}>`;
  }
}
