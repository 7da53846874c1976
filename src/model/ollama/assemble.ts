// From the chunks of a streaming answer to events.

import { isObject, type JsonObject, parseJson } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { AnswerBuilder } from "../answer.ts";
import { NO_USAGE, type StopReason, type Usage } from "../messages.ts";
import type { ModelEvent } from "../model.ts";
import type { Chunk, RawCall } from "./chunk.ts";
import { brokenStream, ModelError } from "./failure.ts";

export interface Assembler {
  /** Throws `ModelError` for a call whose arguments cannot be read. */
  push(chunk: Chunk): readonly ModelEvent[];
  usage(): Usage;
  /** How the answer ended. Throws `ModelError` for an end that is no answer. */
  stopReason(): StopReason;
}

/** Turns chunks into the events of `build`. `newId` names the calls that the server left without an id. */
export function assembler(build: AnswerBuilder, newId: () => string): Assembler {
  const ids = new Set<string>();
  let usage = NO_USAGE;
  let reason: string | undefined;
  return {
    push(chunk) {
      if (chunk.done) {
        usage = usageOf(chunk);
        reason = chunk.doneReason;
      }
      return [
        ...build.thinking(chunk.thinking),
        ...build.text(chunk.content),
        ...chunk.toolCalls.flatMap((call) => {
          const id = call.id !== undefined && call.id !== "" && !ids.has(call.id) ? call.id : newId();
          ids.add(id);
          return build.toolCall({ type: "toolCall", id, name: call.name, arguments: argumentsOf(call) });
        }),
      ];
    },
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

/** Some models write the arguments as a JSON text. */
function argumentsOf(call: RawCall): JsonObject {
  const given = call.arguments;
  if (isObject(given)) return given;
  if (given === undefined || given === null || given === "") return {};
  const parsed = typeof given === "string" ? parseJson(given) : undefined;
  if (isObject(parsed)) return parsed;
  throw new ModelError({
    kind: "failed",
    message: `The arguments of the tool call "${call.name}" are not a JSON object: ${oneLine(JSON.stringify(given), 200)}`,
    retryable: false,
    reason: "badToolCall",
  });
}
