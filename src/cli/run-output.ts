// How a run is printed. Every output takes the same events and ends with the same result; what differs is what goes to
// stdout and when. Events arrive after they were recorded.

import type { AgentEvent } from "../agent/events.ts";
import type { SessionWriter } from "../session/session.ts";
import type { CommandContext } from "./command.ts";
import type { Io } from "./io.ts";
import { RUN_OUTPUTS, type RunOutputName } from "./run-flags.ts";
import { jsonlOutput, jsonOutput } from "./run-output-json.ts";
import { liveOutput, sessionOutput, textOutput } from "./run-output-text.ts";
import type { ResultRecord } from "./run-result.ts";

export interface RunOutput {
  /** The session is open: the first thing that can be told. */
  begin(writer: SessionWriter): Promise<void>;
  event(event: AgentEvent): Promise<void>;
  /** The last thing, on failure too. `answered`: `result.text` is a final answer, not something cut off. */
  end(result: ResultRecord, answered: boolean): Promise<void>;
}

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
