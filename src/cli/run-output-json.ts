// The outputs for programs: one result record, or every event and the result last.

import type { AgentEvent } from "../agent/events.ts";
import { jsonText } from "../base/well-formed.ts";
import type { Io } from "./io.ts";
import type { RunOutput } from "./run-output.ts";

/** Version of the event stream, in its first record. */
const EVENTS_VERSION = 1;

/** The `result` record. */
export function jsonOutput(io: Io): RunOutput {
  return {
    async begin() {},
    async event() {},
    end: (result) => io.stdout.write(line(result)),
  };
}

/** The session header, every public event, and the `result` record, one a line. */
export function jsonlOutput(io: Io): RunOutput {
  return {
    begin: (writer) => io.stdout.write(line({ ...writer.header, v: EVENTS_VERSION })),
    async event(event) {
      if (isPublic(event)) await io.stdout.write(line(event));
    },
    end: (result) => io.stdout.write(line(result)),
  };
}

/** All events but the one that only the recorder needs. */
function isPublic(event: AgentEvent): boolean {
  return event.type !== "branch";
}

function line(value: object): string {
  return `${jsonText(value)}\n`;
}
