// The text that is injected when rules fired: for each rule, reminder.md filled in. A rule's text can neither end its
// own element nor reach into another's.

import { isAbsolute } from "node:path";
import template from "./reminder.md" with { type: "text" };
import type { WatchFire } from "./stream.ts";

/** What became of the text that matched. */
export type ReminderOccasion = "discarded" | "kept" | "reminded";

/** The members of the `custom_message` entry that carries reminders. */
export interface Reminder {
  readonly customType: "ttsr-injection";
  readonly content: string;
  readonly display: false;
  readonly details: { readonly rules: readonly string[] };
}

/** One reminder for all rules that fired; each rule once, in the order of the fires. */
export function buildReminder(fires: readonly WatchFire[], occasion: ReminderOccasion): Reminder {
  const firsts = fires.filter(
    (fire, index) => fires.findIndex(({ rule }) => rule.name === fire.rule.name) === index,
  );
  return {
    customType: "ttsr-injection",
    content: firsts.map((fire) => renderReminder(fire, occasion)).join("\n"),
    display: false,
    details: { rules: firsts.map(({ rule }) => rule.name) },
  };
}

/** The reminder of one rule, as the model reads it. */
export function renderReminder(fire: WatchFire, occasion: ReminderOccasion): string {
  const { rule } = fire.rule;
  const parts: Readonly<Record<string, string>> = {
    rule: escapeAttribute(rule.name),
    path: escapeAttribute(rule.displayPath),
    happened: closeSafely(`${describePlace(fire)} ${SENTENCES[occasion]}`),
    body: closeSafely(rule.body.trim()),
  };
  return template.trimEnd().replace(/\{\{(\w+)\}\}/g, (whole, key: string) => parts[key] ?? whole);
}

const SENTENCES: Readonly<Record<ReminderOccasion, string>> = {
  discarded:
    "matched the rule below, so it was stopped and removed; none of it took effect. Go on with the task and follow the rule.",
  kept: "matched the rule below, so it was stopped there. Go on with the task and follow the rule.",
  reminded:
    "matched the rule below. It was not stopped; correct it where that is possible, and follow the rule from now on.",
};

/** Where it was, in the model's own terms; an absolute path is left out, for it may tell whose machine this is. */
function describePlace({ stream, path }: WatchFire): string {
  if (stream === "text") return "Your answer";
  if (stream === "thinking") return "Your reasoning";
  const tool = stream.slice("tool:".length);
  const named = path === undefined || isAbsolute(path) ? "" : ` for ${path}`;
  return `Your call of the tool ${tool}${named}`;
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/[\n\r\t]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A closing tag of the element is made harmless; everything else stays as it is. */
function closeSafely(text: string): string {
  return text.replace(/<\/(?=\s*system-interrupt)/gi, "<\\/");
}
