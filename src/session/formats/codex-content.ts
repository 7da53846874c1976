// Content of Codex CLI's items: the Responses API's words.

import {
  arrayAt,
  booleanAt,
  isObject,
  type JsonObject,
  numberAt,
  objectAt,
  parseJson,
  stringAt,
} from "../../base/json.ts";
import type { ContentBlock, Usage } from "../../model/messages.ts";
import { codeInText } from "../exit-status.ts";
import { countAt, imageOfUrl, leftOut, textBlock } from "./blocks.ts";
import type { InjectedForm } from "./injected-text.ts";

/** What Codex writes as the user without a person having typed it. */
export const CODEX_FORMS: readonly InjectedForm[] = [
  { tag: /^environment_context$/, kind: "environment_context" },
  { tag: /^user_instructions$/, kind: "user_instructions" },
  {
    tag: /^(subagent_notification|turn_aborted|skill|permissions instructions)$/,
    kind: "notification",
  },
  { start: /^# AGENTS\.md instructions for /, kind: "user_instructions" },
  { start: /^# Context from my IDE setup:/, until: /^## My request for Codex:[^\n]*$/m, kind: "ide_context" },
];

/** A command that the user ran, as Codex tells the model of it. */
export function userShellCommand(text: string): UserCommand | undefined {
  const body = /^\s*<user_shell_command>([\s\S]*)<\/user_shell_command>\s*$/.exec(text)?.[1];
  const command = elementText(body ?? "", "command");
  if (body === undefined || command === undefined) return undefined;
  const result = elementText(body, "result") ?? "";
  const output = /^Output:\n?([\s\S]*)$/m.exec(result)?.[1] ?? result;
  const exitCode = codeInText(result);
  return { command, output, ...(exitCode === undefined ? {} : { exitCode }) };
}

/** What the first element of that name holds, without the line breaks after and before its tags. */
function elementText(text: string, name: string): string | undefined {
  const start = text.indexOf(`<${name}>`);
  const end = start < 0 ? -1 : text.indexOf(`</${name}>`, start);
  return end < 0 ? undefined : text.slice(start + name.length + 2, end).replace(/^\n|\n$/g, "");
}

export interface UserCommand {
  readonly command: string;
  readonly output: string;
  readonly exitCode?: number;
}

/** Texts and images of a content that may be a plain text. */
export function codexContent(content: unknown): readonly ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [textBlock(content)];
  if (!Array.isArray(content)) return [];
  return content.flatMap(codexBlock);
}

function codexBlock(block: unknown): readonly ContentBlock[] {
  if (!isObject(block)) return leftOut(block);
  const text = stringAt(block, "text");
  if (text !== undefined) return text === "" ? [] : [textBlock(text)];
  const image = block["image_url"];
  const url = isObject(image) ? stringAt(image, "url") : image;
  return typeof url === "string" ? [imageOfUrl(url)] : leftOut(block);
}

/** The text of a reasoning item: the whole where it is there, else its summary; empty if it is encrypted. */
export function reasoningText(item: JsonObject): string {
  const texts = (key: string) =>
    (arrayAt(item, key) ?? []).flatMap((part) => (isObject(part) ? (stringAt(part, "text") ?? []) : []));
  const whole = texts("content");
  return (whole.length > 0 ? whole : texts("summary")).join("\n\n").trim();
}

export interface CodexOutput {
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly details: JsonObject | undefined;
}

/** `output` is a text, blocks, an object, or JSON text `{output, metadata{exit_code}}`; its exit code has no one place. */
export function codexOutput(output: unknown): CodexOutput {
  if (Array.isArray(output)) return withCode(codexContent(output), undefined);
  if (isObject(output)) return objectOutput(output);
  const text = typeof output === "string" ? output : output === undefined ? "" : JSON.stringify(output);
  const wrapped = text.startsWith('{"output"') ? parseJson(text) : undefined;
  return isObject(wrapped)
    ? objectOutput(wrapped)
    : withCode(text === "" ? [] : [textBlock(text)], codeInText(text));
}

function objectOutput(output: JsonObject): CodexOutput {
  const body = output["output"] ?? output["content"] ?? "";
  const content =
    typeof body === "string" || Array.isArray(body) ? codexContent(body) : [textBlock(JSON.stringify(body))];
  const code = numberAt(objectAt(output, "metadata") ?? {}, "exit_code") ?? numberAt(output, "exit_code");
  const result = withCode(content, code);
  return booleanAt(output, "success") === false ? { ...result, isError: true } : result;
}

function withCode(content: readonly ContentBlock[], code: number | undefined): CodexOutput {
  const failed = code !== undefined && code !== 0;
  return { content, isError: failed, details: code === undefined ? undefined : { exitCode: code } };
}

/** Tokens as the API counts them: `input_tokens` has the cached ones in it, `output_tokens` the reasoning. */
export function codexUsage(usage: JsonObject): Usage {
  const cacheRead = countAt(usage, "cached_input_tokens");
  const input = Math.max(0, countAt(usage, "input_tokens") - cacheRead);
  const output = countAt(usage, "output_tokens");
  return { input, output, cacheRead, cacheWrite: 0, totalTokens: input + output + cacheRead };
}

/** The directory that an environment block names, in both of its forms. */
export function cwdInEnvironment(text: string): string | undefined {
  const tagged = /<cwd>([^<\n]+)<\/cwd>/.exec(text)?.[1];
  return tagged ?? /^Current working directory: (.+)$/m.exec(text)?.[1]?.trim();
}
