// What a list tells of a session, read from the head and the tail of its file: a file of any length costs the same.

import * as fs from "node:fs";
import { textOf } from "../model/messages.ts";
import { indexedSession } from "./indexed.ts";
import { createLineIndex } from "./line-index.ts";
import { formatOfVersion } from "./open.ts";
import type { Session, SessionFormat } from "./session.ts";

export interface SessionSummary {
  readonly id: string;
  readonly path: string;
  readonly cwd: string;
  readonly format: SessionFormat;
  /** The name that it was given last; its title. */
  readonly name?: string;
  /** Number of `message` entries; counted in head and tail and scaled up where `messagesEstimated` says so. */
  readonly messages: number;
  readonly messagesEstimated?: true;
  /** ISO 8601. */
  readonly modified: string;
  /** The first text that a user wrote, at most 500 characters; empty where the head has none. */
  readonly firstPrompt: string;
  /** Without a prompt: the `customType` of what the session begins with, `handoff`. */
  readonly beginsWith?: string;
}

const HEAD_BYTES = 16_384;
/** Where the first prompt is not in the head. */
const LONG_HEAD_BYTES = 524_288;
const TAIL_BYTES = 8_192;
const PROMPT_LENGTH = 500;
const NEWLINE = 10;

export interface SummaryOptions {
  /** Whether a file without a header in its head counts: without one it may be another agent's. */
  readonly headerless: boolean;
}

/** Summarises a file of our own format; undefined for one that is gone or holds no session. */
export function summariseSession(
  path: string,
  { headerless }: SummaryOptions = { headerless: true },
): SessionSummary | undefined {
  const file = openForReading(path);
  if (file === undefined) return undefined;
  try {
    const { size, mtime } = fs.fstatSync(file);
    const short = readHead(file, HEAD_BYTES, size);
    if (!headerless && !hasHeader(short)) return undefined;
    const isShort = short?.session !== undefined && firstPromptOf(short.session) !== "";
    const head = isShort || size <= HEAD_BYTES ? short : readHead(file, LONG_HEAD_BYTES, size);
    if (head === undefined) return undefined;
    const tail = readTail(file, head.bytes, size);
    return { ...summaryOf(head, tail, size), path, modified: mtime.toISOString() };
  } finally {
    fs.closeSync(file);
  }
}

function hasHeader(head: Part | undefined): boolean {
  return head !== undefined && !head.session.problems.some((problem) => problem.code === "no-header");
}

function openForReading(path: string): number | undefined {
  try {
    return fs.openSync(path, "r");
  } catch {
    return undefined;
  }
}

/** Whole lines from one end of a file, as a session of their own, and how many bytes they are. */
interface Part {
  readonly session: Session;
  readonly bytes: number;
}

function readHead(file: number, length: number, size: number): Part | undefined {
  const bytes = readAt(file, 0, Math.min(length, size));
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  // A first line that is longer than the head is read as far as it goes: its header may be lost, not the file.
  return sessionOf(bytes.length === size && end < size ? withNewline(bytes) : bytes.subarray(0, end));
}

/** The last lines that are not in the head. */
function readTail(file: number, headBytes: number, size: number): Part | undefined {
  const from = Math.max(headBytes, size - TAIL_BYTES);
  if (from >= size) return undefined;
  const bytes = readAt(file, from, size - from);
  const start = from === headBytes ? 0 : bytes.indexOf(NEWLINE) + 1;
  return sessionOf(bytes.subarray(start, bytes.lastIndexOf(NEWLINE) + 1));
}

function readAt(file: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let read = 0;
  while (read < length) {
    const count = fs.readSync(file, bytes, read, length - read, position + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}

function withNewline(bytes: Uint8Array): Uint8Array {
  const longer = new Uint8Array(bytes.length + 1);
  longer.set(bytes);
  longer[bytes.length] = NEWLINE;
  return longer;
}

function sessionOf(bytes: Uint8Array): Part | undefined {
  const builder = createLineIndex();
  if (bytes.length > 0) builder.addBlock({ bytes, ended: true });
  const index = builder.finish();
  if (index === undefined) return undefined;
  const format = formatOfVersion(index.version);
  return {
    session: indexedSession({ index, format, path: undefined, sourceBytes: bytes.length }),
    bytes: bytes.length,
  };
}

function summaryOf(
  { session, bytes }: Part,
  tail: Part | undefined,
  size: number,
): Omit<SessionSummary, "path" | "modified"> {
  const { header, format } = session;
  const name = nameIn(tail?.session) ?? nameIn(session) ?? header.title;
  const seen = messagesIn(session) + (tail === undefined ? 0 : messagesIn(tail.session));
  const read = bytes + (tail?.bytes ?? 0);
  const whole = read >= size;
  return {
    id: header.id,
    cwd: header.cwd,
    format,
    ...(name === undefined || name === "" ? {} : { name }),
    messages: whole ? seen : Math.max(seen, Math.round((seen * size) / Math.max(read, 1))),
    ...(whole ? {} : { messagesEstimated: true as const }),
    ...beginningOf(session),
  };
}

function beginningOf(session: Session): Pick<SessionSummary, "firstPrompt" | "beginsWith"> {
  const firstPrompt = firstPromptOf(session);
  if (firstPrompt !== "") return { firstPrompt };
  for (let index = 0; index < session.size; index++) {
    const entry = session.typeAt(index) === "custom_message" ? session.entryAt(index) : undefined;
    if (entry?.type === "custom_message" && entry.display)
      return { firstPrompt, beginsWith: entry.customType };
  }
  return { firstPrompt };
}

function messagesIn(session: Session): number {
  let count = 0;
  for (let index = 0; index < session.size; index++) if (session.typeAt(index) === "message") count += 1;
  return count;
}

function nameIn(session: Session | undefined): string | undefined {
  if (session === undefined) return undefined;
  for (let index = session.size - 1; index >= 0; index--) {
    if (session.typeAt(index) !== "session_info") continue;
    const entry = session.entryAt(index);
    if (entry.type === "session_info") return entry.name;
  }
  return undefined;
}

/** The first text of a user in a session, or the head of one. */
function firstPromptOf(session: Session): string {
  for (let index = 0; index < session.size; index++) {
    if (session.typeAt(index) !== "message") continue;
    const entry = session.entryAt(index);
    if (entry.type !== "message" || entry.message.role !== "user") continue;
    const text = textOf(entry.message.content).trim();
    if (text !== "") return text.slice(0, PROMPT_LENGTH);
  }
  return "";
}
