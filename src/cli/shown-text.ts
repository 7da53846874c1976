// Texts cut to what a reader takes in at once, and times as the reader's clock shows them.

import { cutAt, plural } from "../base/text.ts";

const MAX_CHARS = 20_000;

/** The first `lines` lines; what was left out is said, with the way to see it. Nothing is cut for two lines or fewer. */
export function shortened(text: string, lines: number, entryId: string): string {
  const all = text.split("\n");
  const left = all.length - lines;
  const shown = left > 2 ? all.slice(0, lines).join("\n") : text;
  const cut = cutAt(shown, MAX_CHARS);
  if (cut.length < shown.length)
    return `${cut}…\n(${plural(text.length - cut.length, "more character")}: --entry ${entryId})`;
  return left > 2 ? `${cut}\n(${plural(left, "more line")}: --entry ${entryId})` : cut;
}

/** `2026-01-02 03:04:05`, in the local time zone; empty for a time that is none. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** Every line begins with the indent; empty ones stay empty. */
export function indented(text: string, indent = "  "): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : indent + line))
    .join("\n");
}
