// The prompts of the model engine. Their texts stand in files of their own.

import prompt from "./prompt.md" with { type: "text" };
import repair from "./repair-prompt.md" with { type: "text" };
import type { SectionName } from "./sections.ts";

/** What the model is asked; `focus` is the user's own addition. */
export function handoffPrompt(focus: string | undefined): string {
  const text = prompt.trim();
  return focus === undefined ? text : `${text}\n\nAdditional focus: ${focus}`;
}

/** Asks for the sections that the first answer lacks. */
export function repairPrompt(missing: readonly SectionName[]): string {
  return `${repair.trim()}\n\n${missing.map((name) => `## ${name}`).join("\n")}`;
}

const OPENINGS = [prompt, repair].map((text) => text.trim().split("\n")[0] ?? "");

/** Whether a user message is one of these prompts, recorded by an earlier handoff: nobody asked for anything with it. */
export function isHandoffPrompt(text: string): boolean {
  return OPENINGS.some((opening) => text.startsWith(opening));
}
