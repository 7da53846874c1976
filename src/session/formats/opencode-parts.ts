// Parts of OpenCode's messages that need more than a look: files, token counts, finished tools.

import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import type { ContentBlock, Usage } from "../../model/messages.ts";
import { countAt, imageOfUrl, scalarsOf, textBlock, usageOf } from "./blocks.ts";

/** An image, or the name of a file that was attached. */
export function filePart(part: JsonObject): readonly ContentBlock[] {
  const url = stringAt(part, "url") ?? "";
  if ((stringAt(part, "mime") ?? "").startsWith("image/")) return [imageOfUrl(url)];
  return [textBlock(`[file ${stringAt(part, "filename") ?? url.slice(0, 200)}]`)];
}

/** `{input, output, reasoning, cache{read, write}}`, reasoning being beside the output. */
export function tokensOf(object: JsonObject): Usage | undefined {
  const tokens = objectAt(object, "tokens");
  if (tokens === undefined) return undefined;
  const cache = objectAt(tokens, "cache") ?? {};
  const usage = usageOf({
    input: countAt(tokens, "input"),
    output: countAt(tokens, "output") + countAt(tokens, "reasoning"),
    cacheRead: countAt(cache, "read"),
    cacheWrite: countAt(cache, "write"),
  });
  const cost = object["cost"];
  return typeof cost === "number" ? { ...usage, cost: { total: cost } } : usage;
}

export interface ToolOutcome {
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly details: JsonObject | undefined;
}

/** What a tool that ended gave; undefined for one that was left pending or running. */
export function toolOutcome(state: JsonObject): ToolOutcome | undefined {
  const status = stringAt(state, "status");
  if (status !== "completed" && status !== "error") return undefined;
  const isError = status === "error";
  const text = stringAt(state, isError ? "error" : "output") ?? "";
  const attached = (arrayAt(state, "attachments") ?? []).filter(isObject).flatMap(filePart);
  const details = scalarsOf(objectAt(state, "metadata") ?? {}, REPEATED);
  const exit = details?.["exit"];
  return {
    content: [...(text === "" ? [] : [textBlock(text)]), ...attached],
    isError: isError || (typeof exit === "number" && exit !== 0),
    details,
  };
}

/** Members of a tool's metadata that repeat its output. */
const REPEATED: ReadonlySet<string> = new Set(["output", "stdout", "stderr", "preview", "diff"]);
