// Checking a model's text against the session: paths, commands and commit ids that it names and that the session does
// not contain. What is not found may still be right; it is only not proved.

import type { JsonObject } from "../base/json.ts";
import { type Message, textOf } from "../model/messages.ts";
import type { Entry } from "../session/entry.ts";
import { isHandoffPrompt } from "./prompt.ts";

/** Most names that are looked up. */
const MAX_CLAIMS = 400;

export interface Claim {
  readonly kind: "path" | "command" | "commit";
  readonly text: string;
}

/** The names in a text, in its order, each once. */
export function claimsOf(text: string): readonly Claim[] {
  const found = new Map<string, Claim>();
  const add = (kind: Claim["kind"], name: string) => {
    if (found.size < MAX_CLAIMS && !found.has(name)) found.set(name, { kind, text: name });
  };
  for (const span of codeSpans(text)) {
    if (COMMAND.test(span)) add("command", span);
    else if (isPath(span)) add("path", cleanPath(span));
    else if (COMMIT.test(span)) add("commit", span);
  }
  const prose = text.replace(FENCES, "");
  for (const [word] of prose.matchAll(/(?<![\w/.@~-])(?:[\w.@~-]+\/)+[\w.@-]*\.[A-Za-z]\w{0,9}\b/g))
    if (isPath(word)) add("path", cleanPath(word));
  for (const [, hash] of prose.matchAll(/\bcommit(?:ted)?(?: as| id| hash)?:? [`(]?([0-9a-f]{7,40})\b/gi))
    if (hash !== undefined) add("commit", hash);
  return [...found.values()];
}

const COMMAND =
  /^(?:\$ )?(?:git|gh|npm|npx|pnpm|yarn|bun|bunx|deno|node|python3?|pip3?|uv|poetry|pytest|cargo|go|make|cmake|ninja|docker|kubectl|terraform|mvn|gradle|\.\/gradlew|dotnet|ruby|bundle|rake|php|composer|curl|wget|ssh|scp|rsync|psql|mysql|sqlite3|tsc|eslint|biome|prettier|jest|vitest|sh|bash|\.\/[\w./-]+) \S/;
const COMMIT = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,40}$/;

const FENCES = /^[ \t]*(`{3,40}|~{3,40})[ \t]*(\w*)[^\n]*\n([\s\S]*?)^[ \t]*\1[^\n]*$/gm;

/** Inline code, and the lines of fenced blocks in a shell's language. */
function* codeSpans(text: string): Generator<string> {
  for (const [, , language = "", body = ""] of text.matchAll(FENCES)) {
    if (!/^(?:sh|bash|shell|zsh|console|)$/.test(language)) continue;
    for (const line of body.split("\n")) yield line.trim();
  }
  for (const [, , span = ""] of text.replace(FENCES, "").matchAll(/(?<!`)(`+)(?!`)([^\n]+?)(?<!`)\1(?!`)/g)) {
    yield span.trim();
  }
}

function isPath(span: string): boolean {
  if (/\s|^https?:|^[\w.]+@|[<>{}*$|"'\\]|^\d|^-/.test(span) || span.length > 200) return false;
  return /^(?:\.{0,2}\/|~\/)?[\w.@-]+(?:\/[\w.@-]+)+\/?(?::\d+(?:[:-]\d+)?)?$/.test(span)
    ? /\.\w{1,10}(?::|$)|^\.{0,2}\/|^~\//.test(span)
    : /^[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|json[cl5]?|md|py|rs|go|rb|java|kt|swift|[ch](?:pp|xx)?|cs|php|sh|toml|ya?ml|sql|html?|s?css|vue|svelte|txt|lock|tf|proto|xml|ini|cfg|conf|gradle)(?::\d+)?$/.test(
        span,
      );
}

function cleanPath(span: string): string {
  return span
    .replace(/:\d+(?:[:-]\d+)?$/, "")
    .replace(/^\.\//, "")
    .replace(/\/$/, "");
}

/**
 * The claims that no entry contains. Each entry is looked at once; a claim is found where its text stands. What a model
 * wrote in an earlier handoff of the session proves nothing: it was a claim itself.
 */
export function unverifiedClaims(
  claims: readonly Claim[],
  entries: Iterable<Entry>,
  cwd: string,
): readonly Claim[] {
  const wanted = new Map(claims.map((claim) => [claim, needlesOf(claim, cwd)]));
  let inHandoff = false;
  for (const entry of entries) {
    if (wanted.size === 0) break;
    if (entry.type === "message") {
      const { message } = entry;
      if (message.role === "user") inHandoff = isHandoffPrompt(textOf(message.content));
      if (inHandoff) continue;
    }
    const text = fold(textsOf(entry).join("\n"));
    for (const [claim, needles] of wanted)
      if (needles.some((needle) => stands(needle, text, claim.kind))) wanted.delete(claim);
  }
  return [...wanted.keys()];
}

/** A name is not proved by a longer one: `a.ts` by `data.tsx`. A commit is, since its id may be told short or long. */
function stands(needle: string, text: string, kind: Claim["kind"]): boolean {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    if (kind === "commit") return true;
    const [before = "", after = ""] = [text[at - 1], text[at + needle.length]];
    if (!/\w/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}

/** A path may stand in the session with the working directory before it, or without. */
function needlesOf(claim: Claim, cwd: string): readonly string[] {
  const text = fold(claim.text.replace(/^\$ /, ""));
  if (claim.kind === "commit") return [text, text.slice(0, 7)];
  if (claim.kind === "command" || cwd === "" || !text.startsWith(`${cwd}/`)) return [text];
  return [text, text.slice(cwd.length + 1)];
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ");
}

function textsOf(entry: Entry): readonly string[] {
  switch (entry.type) {
    case "message":
      return messageTexts(entry.message);
    case "custom_message":
      return stringsIn(entry.content);
    case "compaction":
    case "branch_summary":
      return [entry.summary];
    case "custom":
      return stringsIn(entry.data);
    case "session_info":
      return [entry.name];
    case "ttsr_injection":
    case "model_change":
    case "thinking_level_change":
    case "label":
    case "unknown":
      return [];
  }
}

function messageTexts(message: Message): readonly string[] {
  switch (message.role) {
    case "bashExecution":
      return [message.command, message.output];
    case "branchSummary":
    case "compactionSummary":
      return [message.summary];
    case "user":
    case "assistant":
    case "toolResult":
    case "custom":
      return stringsIn(message.content);
  }
}

/** Every string of a value, however deep; images are passed over. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (typeof value !== "object" || value === null) return [];
  const object: JsonObject = { ...value };
  if (object["type"] === "image") return [];
  return Object.values(object).flatMap(stringsIn);
}
