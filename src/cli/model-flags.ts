// The flags that say which model answers and how, for the commands that ask one.

import type { ThinkingLevel } from "../model/model.ts";
import type { FlagSpec, ParsedFlags } from "./command.ts";

const THINKING_LEVELS: readonly ThinkingLevel[] = ["off", "on", "low", "medium", "high"];

/** `--host` alone, for commands that only look at the server. */
export const HOST_FLAG: FlagSpec = {
  name: "host",
  value: { kind: "text", placeholder: "<url>" },
  default: "settings, OLLAMA_HOST, http://127.0.0.1:11434",
  help: "the Ollama server",
};

/** `--model` alone, for commands that look at what would answer. */
export const MODEL_FLAG: FlagSpec = {
  name: "model",
  value: { kind: "text", placeholder: "<name>" },
  default: "the session's, settings, the server's only one",
  help: "model, or replay:<file> for recorded answers",
};

export const MODEL_FLAGS: readonly FlagSpec[] = [
  MODEL_FLAG,
  HOST_FLAG,
  {
    name: "num-ctx",
    value: { kind: "integer", placeholder: "<n>", min: 1 },
    default: "settings, what is loaded, Modelfile, 32768",
    help: "context window in tokens",
  },
  {
    name: "think",
    value: { kind: "choice", choices: THINKING_LEVELS },
    default: "the model's own",
    help: "thinking before the answer",
  },
  {
    name: "retries",
    value: { kind: "integer", placeholder: "<n>", min: 0 },
    default: "3",
    help: "times a failed request is tried again",
  },
  {
    name: "max-time",
    value: { kind: "duration", placeholder: "<duration>" },
    default: "none",
    help: "end after this long, exit 6",
  },
  {
    name: "max-tokens",
    value: { kind: "integer", placeholder: "<n>", min: 1 },
    default: "none",
    help: "end when this many tokens were written, exit 6",
  },
  {
    name: "record",
    value: { kind: "text", placeholder: "<file>" },
    default: "none",
    help: "append what the model streams, for replay:<file>",
  },
];

/** `--think`, if given. */
export function thinkFlag(flags: ParsedFlags): ThinkingLevel | undefined {
  const text = flags.text("think");
  return THINKING_LEVELS.find((level) => level === text);
}
