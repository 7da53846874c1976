// Bounded text for the model: the head and the tail of an output, and a file with all of it when something is left out.

import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../base/errors.ts";
import { cutAt, plural } from "../base/text.ts";
import type { SpillDirectory } from "./workspace.ts";

/** What a result may have, in UTF-8 bytes and lines. */
export const MAX_BYTES = 50_000;
export const MAX_LINES = 2_000;
/** Of a longer line only the beginning is searched and at hand: it is data. */
export const WHOLE_LINE_CHARS = 100_000;
const SHOWN_LINE_CHARS = 500;
/** What is kept on disk of one output; a program that prints without end must not fill it. */
const MAX_SPILL_BYTES = 200_000_000;

export interface BoundedText {
  readonly text: string;
  readonly truncated: boolean;
  readonly totalBytes: number;
  readonly totalLines: number;
  /** The file with all of it, if something was left out. */
  readonly path?: string;
}

export interface OutputLimits {
  readonly maxBytes: number;
  readonly maxLines: number;
}

/** Collects an output piece by piece, holding at most twice the limit in memory. */
export interface OutputCollector {
  push(text: string): void;
  /** The bounded text; nothing may be pushed afterwards. */
  finish(): BoundedText;
}

/** A collector. `name` begins the name of the file that takes the whole output. */
export function outputCollector(
  spill: SpillDirectory,
  name: string,
  limits: OutputLimits = { maxBytes: MAX_BYTES, maxLines: MAX_LINES },
): OutputCollector {
  const half = { bytes: Math.floor(limits.maxBytes / 2), lines: Math.floor(limits.maxLines / 2) };
  let kept = "";
  let head: string | undefined;
  let totalBytes = 0;
  let newlines = 0;
  let endsLine = true;
  let file: SpillFile | undefined;
  const tooLong = () => totalBytes > limits.maxBytes || newlines + (endsLine ? 0 : 1) > limits.maxLines;
  return {
    push(text) {
      if (text === "") return;
      totalBytes += byteLength(text);
      newlines += countNewlines(text);
      endsLine = text.endsWith("\n");
      kept += text;
      if (file === undefined && tooLong()) {
        file = openSpill(spill, name);
        file.write(kept);
        head = headOf(kept, half);
      } else file?.write(text);
      if (file !== undefined && kept.length > 4 * limits.maxBytes) kept = tailOf(kept, half);
    },
    finish() {
      const totalLines = newlines + (endsLine ? 0 : 1);
      if (file === undefined || head === undefined)
        return { text: kept, truncated: false, totalBytes, totalLines };
      const closed = file.close();
      const whole = "path" in closed ? closed : {};
      const where =
        "path" in closed ? `all of it: ${closed.path}` : `they could not be kept: ${closed.failure}`;
      const tail = tailOf(kept, half);
      const gap = totalBytes - byteLength(head) - byteLength(tail);
      const note = `[… ${plural(gap, "byte")} left out of ${totalBytes} (${plural(totalLines, "line")}); ${where} …]`;
      return { text: join3(head, note, tail), truncated: true, totalBytes, totalLines, ...whole };
    },
  };
}

/** A text that is already whole, bounded. */
export function boundText(spill: SpillDirectory, name: string, text: string): BoundedText {
  const collector = outputCollector(spill, name);
  collector.push(text);
  return collector.finish();
}

function join3(head: string, note: string, tail: string): string {
  return `${head}${head.endsWith("\n") ? "" : "\n"}${note}\n${tail}`;
}

interface Half {
  readonly bytes: number;
  readonly lines: number;
}

/** Whole lines if there is one within the limit, else a cut between characters. */
function headOf(text: string, half: Half): string {
  const cut = cutBytes(text, half.bytes);
  let end = 0;
  for (let lines = 0; lines < half.lines; lines++) {
    const next = cut.indexOf("\n", end);
    if (next < 0) return cut.length === text.length || end === 0 ? cut : cut.slice(0, end);
    end = next + 1;
  }
  return cut.slice(0, end);
}

function tailOf(text: string, half: Half): string {
  const cut = cutBytesFromEnd(text, half.bytes);
  let start = cut.endsWith("\n") ? cut.length - 1 : cut.length;
  for (let lines = 0; lines < half.lines; lines++) {
    const previous = start === 0 ? -1 : cut.lastIndexOf("\n", start - 1);
    if (previous < 0) {
      const first = cut.indexOf("\n");
      const cutInLine = cut.length < text.length && text[text.length - cut.length - 1] !== "\n";
      return cutInLine && first >= 0 && first < cut.length - 1 ? cut.slice(first + 1) : cut;
    }
    start = previous;
  }
  return cut.slice(start + 1);
}

/** The longest prefix of at most `max` UTF-8 bytes that splits no character. */
export function cutBytes(text: string, max: number): string {
  const bytes = Buffer.from(text.slice(0, max), "utf8");
  if (bytes.length <= max && text.length <= max) return text;
  let end = Math.min(max, bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes
    .subarray(0, end)
    .toString("utf8")
    .replace(/\ufffd$/, "");
}

/** A line of a file among others: a long one is cut, and says how long it is as far as that is known. */
export function shortLine(line: string): string {
  const text = line.replace(/\r$/, "");
  if (text.length <= SHOWN_LINE_CHARS) return text;
  const length = text.length > WHOLE_LINE_CHARS ? `more than ${WHOLE_LINE_CHARS}` : text.length;
  return `${cutAt(text, SHOWN_LINE_CHARS)}… (${length} characters)`;
}

function cutBytesFromEnd(text: string, max: number): string {
  const bytes = Buffer.from(text.slice(-max), "utf8");
  let start = Math.max(0, bytes.length - max);
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes
    .subarray(start)
    .toString("utf8")
    .replace(/^\ufffd/, "");
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Never throws: output comes when nobody could catch it, and a full disk must not lose the head and the tail. */
interface SpillFile {
  write(text: string): void;
  /** The path of the whole output, or why there is none. */
  close(): { readonly path: string } | { readonly failure: string };
}

function openSpill(spill: SpillDirectory, name: string): SpillFile {
  let file: { readonly path: string; readonly fd: number } | undefined;
  let failure: string | undefined;
  let written = 0;
  const append = (text: string) => {
    const path = join(spill.path(), `${name}-${randomBytes(4).toString("hex")}.txt`);
    file ??= { path, fd: openSync(path, "wx", 0o600) };
    const bytes = Buffer.from(text, "utf8");
    for (let at = 0; at < bytes.length; ) at += writeSync(file.fd, bytes, at);
    written += bytes.length;
  };
  return {
    write(text) {
      if (failure !== undefined || written >= MAX_SPILL_BYTES) return;
      try {
        append(text);
        if (written >= MAX_SPILL_BYTES) append("\n[the rest was not kept: the output is too large]\n");
      } catch (error) {
        failure = codeOf(error) ?? "unknown error";
      }
    },
    close() {
      if (file !== undefined) closeSync(file.fd);
      return failure === undefined && file !== undefined
        ? { path: file.path }
        : { failure: failure ?? "nothing was written" };
    },
  };
}
