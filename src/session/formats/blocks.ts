// Pieces of content that several formats share: texts, images, arguments of calls.

import { isObject, type JsonObject, parseJson } from "../../base/json.ts";
import type { ContentBlock, TextBlock, Usage } from "../../model/messages.ts";
import type { ConversionOutput } from "./output.ts";

export function textBlock(text: string): TextBlock {
  return { type: "text", text };
}

/** Stands for a piece of content that is neither text nor image, so that nobody takes the rest for all there was. */
export function leftOut(piece: unknown): readonly TextBlock[] {
  if (typeof piece === "string") return piece === "" ? [] : [textBlock(piece)];
  if (!isObject(piece)) return [];
  const name = typeof piece["type"] === "string" ? piece["type"] : Object.keys(piece)[0];
  return [textBlock(`[${(name ?? "empty block").slice(0, 40)}, left out]`)];
}

/** An image of a `data:` URL; for any other address a text that names it, since its bytes are not in the file. */
export function imageOfUrl(url: string): ContentBlock {
  const match = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,;]*)*;base64,/.exec(url);
  if (match === null) return textBlock(`[image, not in the session file: ${url.slice(0, 200)}]`);
  return { type: "image", mimeType: match[1] ?? "", data: url.slice(match[0].length) };
}

/** What an answer can hold of a content: its texts, and a word for each image, which is counted. */
export function answerTexts(
  content: readonly ContentBlock[],
  output: ConversionOutput,
): readonly TextBlock[] {
  return content.map((block) => {
    if (block.type === "text") return block;
    output.count("image in an answer", "no place");
    return textBlock(`[image, ${block.mimeType}, left out]`);
  });
}

/** Arguments as an object: as they are, parsed from JSON text, or under `input` where they are plain text. */
export function argumentsOf(value: unknown): JsonObject {
  if (isObject(value)) return value;
  if (typeof value !== "string") return value === undefined || value === null ? {} : { input: value };
  const parsed = value.trim() === "" ? {} : parseJson(value);
  return isObject(parsed) ? parsed : { input: value };
}

/** Token counts of a request whose `input` does not count what the cache had. */
export function usageOf(parts: Omit<Usage, "totalTokens">): Usage {
  const { input, output, cacheRead, cacheWrite } = parts;
  return { ...parts, totalTokens: input + output + cacheRead + cacheWrite };
}

/** A member that counts something: 0 for what is no count. */
export function countAt(object: JsonObject, key: string): number {
  const value = object[key];
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** The object without the members named. */
export function slim(object: JsonObject, without: ReadonlySet<string>): JsonObject {
  const members = Object.entries(object).filter(([key]) => !without.has(key));
  return Object.fromEntries(members);
}

/** The members that are short texts, numbers or booleans: what is worth keeping of a tool's own record of its result. */
export function scalarsOf(object: JsonObject, without: ReadonlySet<string>): JsonObject | undefined {
  const members = Object.entries(object).filter(([key, value]) => {
    if (without.has(key)) return false;
    if (typeof value === "string") return value !== "" && value.length <= 200;
    return typeof value === "number" || typeof value === "boolean";
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
