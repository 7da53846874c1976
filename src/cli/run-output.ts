// How a run is printed. Every output takes the same events and ends with the same result; what differs is what goes to
// stdout and when. Events arrive after they were recorded.

import type { AgentEvent } from "../agent/events.ts";
import type { SessionWriter } from "../session/session.ts";
import type { ResultRecord } from "./run-result.ts";

export interface RunOutput {
  /** The session is open: the first thing that can be told. */
  begin(writer: SessionWriter): Promise<void>;
  event(event: AgentEvent): Promise<void>;
  /** The last thing, on failure too. `answered`: `result.text` is a final answer, not something cut off. */
  end(result: ResultRecord, answered: boolean): Promise<void>;
}
