// The system prompt: one text, then the parts that a project adds. The order is fixed, so that a server can keep the
// common beginning in its cache.

import type { JsonObject } from "../base/json.ts";
import template from "./system-prompt.md" with { type: "text" };

/** A rule whose body is always there, or one that the model may read when its description fits. */
export interface PromptRule {
  readonly name: string;
  readonly displayPath: string;
  readonly description: string | undefined;
  readonly body: string;
}

export interface ContextFile {
  /** Relative to the project, or `~/…`. */
  readonly displayPath: string;
  readonly text: string;
}

export interface SystemPromptParts {
  /** Replaces the built-in text (`--system`). */
  readonly system?: string | undefined;
  /** Stands at the end (`--append-system`). */
  readonly append?: string | undefined;
  readonly cwd: string;
  readonly platform: string;
  /** `2026-01-31` */
  readonly date: string;
  readonly contextFiles: readonly ContextFile[];
  readonly alwaysRules: readonly PromptRule[];
  /** Empty if the model has no tool to read them with. */
  readonly rulebook: readonly PromptRule[];
  /** The answer must follow it. */
  readonly schema?: JsonObject | undefined;
}

/** The whole system prompt. */
export function buildSystemPrompt(parts: SystemPromptParts): string {
  const { cwd, platform, date } = parts;
  const values: Readonly<Record<string, string>> = { cwd, platform, date };
  const base =
    parts.system ?? template.replace(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole);
  return [
    base,
    ...parts.contextFiles.map(renderContextFile),
    ...parts.alwaysRules.map(renderRule),
    renderRulebook(parts.rulebook),
    renderSchema(parts.schema),
    parts.append ?? "",
  ]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

function renderContextFile({ displayPath, text }: ContextFile): string {
  return `<context-file path="${attribute(displayPath)}">\n${text.trim()}\n</context-file>`;
}

function renderRule({ name, displayPath, body }: PromptRule): string {
  return `<rule name="${attribute(name)}" path="${attribute(displayPath)}">\n${body.trim()}\n</rule>`;
}

function renderRulebook(rules: readonly PromptRule[]): string {
  if (rules.length === 0) return "";
  const lines = rules.map(
    ({ name, description }) => `- rule://${name}: ${(description ?? "").replace(/\s+/g, " ")}`,
  );
  return `Rules for certain work. Before such work, read the rule with the tool read and its rule:// name:\n${lines.join("\n")}`;
}

function renderSchema(schema: JsonObject | undefined): string {
  if (schema === undefined) return "";
  return `Your final answer must be one JSON value that follows this JSON Schema, without prose and without a code fence:\n${JSON.stringify(schema)}`;
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
