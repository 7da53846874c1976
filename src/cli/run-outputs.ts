// Which output a run prints to.

import type { CommandContext } from "./command.ts";
import type { Io } from "./io.ts";
import { RUN_OUTPUTS, type RunOutputName } from "./run-flags.ts";
import type { RunOutput } from "./run-output.ts";
import { jsonlOutput, jsonOutput } from "./run-output-json.ts";
import { liveOutput, sessionOutput, textOutput } from "./run-output-text.ts";

/** What `--output` says; else live on a terminal, and text in a pipe. */
export function outputName({ flags, io }: Pick<CommandContext, "flags" | "io">): RunOutputName {
  const given = RUN_OUTPUTS.find((name) => name === flags.text("output"));
  return given ?? (io.stdout.isTerminal ? "live" : "text");
}

/** The output of the given name. */
export function runOutput(name: RunOutputName, io: Io): RunOutput {
  switch (name) {
    case "text":
      return textOutput(io);
    case "live":
      return liveOutput(io);
    case "json":
      return jsonOutput(io);
    case "jsonl":
      return jsonlOutput(io);
    case "session":
      return sessionOutput(io);
  }
}
