// What the loop itself says to the model when an answer cannot be used. Each is said a bounded number of times.

import type { CustomMessage } from "../model/messages.ts";

/** A message of the loop's own; `customType` tells programs what it is. */
export function note(customType: string, content: string, timestamp: number): CustomMessage {
  return { role: "custom", customType, content, display: false, timestamp };
}

export const EMPTY_ANSWER =
  "Your last message had neither text nor a tool call. Go on with the task, or give your final answer as text.";

/** The server could not parse the call that the model wrote. */
export function badToolCall(why: string): string {
  return [
    `Your last tool call could not be read, and was not run: ${why}`,
    "Write the call again with arguments that are one valid JSON object.",
  ].join("\n");
}

/** The answer does not follow the schema. */
export function badAnswer(reasons: readonly string[]): string {
  return [
    "Your answer does not follow the JSON Schema it must follow:",
    ...reasons.map((reason) => `- ${reason}`),
    "Answer again with the JSON value alone: no prose, no code fence.",
  ].join("\n");
}
