// From the chunks of a streaming answer to events: thinking tags and calls written as text are taken out of the content
// here, so that everything after sees text, thinking and calls for what they are.

import { isObject, type JsonObject, parseJson } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { AnswerBuilder } from "../answer.ts";
import { NO_USAGE, type StopReason, type Usage } from "../messages.ts";
import type { ModelEvent } from "../model.ts";
import type { Chunk, RawCall } from "./chunk.ts";
import { brokenStream, ModelError } from "./failure.ts";
import { type TextPart, textCalls } from "./text-calls.ts";
import { type TaggedPart, thinkTags } from "./think-tags.ts";

export interface Assembler {
  /** Throws `ModelError` for a call whose arguments cannot be read. */
  push(chunk: Chunk): readonly ModelEvent[];
  /** What was held back, when the answer has ended, or broken off. */
  end(): readonly ModelEvent[];
  usage(): Usage;
  /** How the answer ended. Throws `ModelError` for an end that is no answer. */
  stopReason(): StopReason;
}

export interface AssemblerOptions {
  readonly build: AnswerBuilder;
  /** Names of the tools offered, for calls written as text; empty where the answer must be JSON anyway. */
  readonly textCallNames: ReadonlySet<string>;
  /** Names the calls that the server left without an id. */
  readonly newId: () => string;
}

/** Turns chunks into the events of `build`. Calls are never merged by their index: parallel ones can all have 0. */
export function assembler(options: AssemblerOptions): Assembler {
  const { build, newId } = options;
  const tags = thinkTags();
  const written = textCalls(options.textCallNames);
  const ids = new Set<string>();
  const given = new Set<string>();
  let usage = NO_USAGE;
  let reason: string | undefined;

  const call = (id: string | undefined, name: string, args: unknown): readonly ModelEvent[] => {
    const unique = id !== undefined && id !== "" && !ids.has(id) ? id : newId();
    ids.add(unique);
    return build.toolCall({ type: "toolCall", id: unique, name, arguments: decodeArguments(name, args) });
  };
  /** The last line may repeat what came before it: a call like an earlier one in all is that call, not another. */
  const newCalls = ({ toolCalls, done }: Chunk): readonly RawCall[] => {
    const keyOf = (raw: RawCall) => JSON.stringify([raw.id ?? "", raw.name, raw.arguments]);
    const fresh = done ? toolCalls.filter((raw) => !given.has(keyOf(raw))) : toolCalls;
    for (const raw of fresh) given.add(keyOf(raw));
    return fresh;
  };
  const fromText = (parts: readonly TextPart[]): readonly ModelEvent[] =>
    parts.flatMap((part) =>
      part.kind === "text" ? build.text(part.text) : call(undefined, part.call.name, part.call.arguments),
    );
  const fromTag = (part: TaggedPart): readonly ModelEvent[] => {
    switch (part.kind) {
      case "text":
        return fromText(written.push(part.text));
      case "thinking":
        return build.thinking(part.text);
      case "wasThinking":
        return [...fromText(written.off()), ...build.textWasThinking()];
    }
  };
  const fromTags = (parts: readonly TaggedPart[]): readonly ModelEvent[] => parts.flatMap(fromTag);
  const thinking = (text: string): readonly ModelEvent[] =>
    text === "" ? [] : [...fromTags(tags.off()), ...build.thinking(text)];
  const calls = (chunk: Chunk): readonly ModelEvent[] =>
    chunk.toolCalls.length === 0
      ? []
      : [
          ...fromTags(tags.end()),
          ...fromText(written.off()),
          ...newCalls(chunk).flatMap((raw) => call(raw.id, raw.name, raw.arguments)),
        ];

  return {
    push(chunk) {
      if (chunk.done) {
        usage = usageOf(chunk);
        reason = chunk.doneReason;
      }
      return [...thinking(chunk.thinking), ...fromTags(tags.push(chunk.content)), ...calls(chunk)];
    },
    end: () => [...fromTags(tags.end()), ...fromText(written.end())],
    usage: () => usage,
    stopReason() {
      if (reason === "load" || reason === "unload") {
        throw new ModelError(brokenStream(`the server answered "${reason}" instead of text`));
      }
      if (build.hasToolCalls()) return "toolUse";
      return reason === "length" ? "length" : "stop";
    },
  };
}

function usageOf(chunk: Chunk): Usage {
  const { promptTokens: input, outputTokens: output } = chunk;
  return { ...NO_USAGE, input, output, totalTokens: input + output };
}

/** Some models write the arguments as a JSON text; none at all are an empty object. */
function decodeArguments(name: string, given: unknown): JsonObject {
  if (isObject(given)) return given;
  if (given === undefined || given === null || given === "") return {};
  const parsed = typeof given === "string" ? parseJson(given) : undefined;
  if (isObject(parsed)) return parsed;
  throw new ModelError({
    kind: "failed",
    message: `The arguments of the tool call "${name}" are not a JSON object: ${oneLine(JSON.stringify(given), 200)}`,
    retryable: false,
    reason: "badToolCall",
  });
}
