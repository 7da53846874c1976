// What a run tells people on stderr while it goes on.

import type { AgentEvent, TtsrEvent } from "../agent/events.ts";
import { renderDuration } from "../base/duration.ts";
import { oneLine, plural } from "../base/text.ts";
import type { Io } from "./io.ts";

export interface RunNotices {
  event(event: AgentEvent): void;
}

/** `progress`: show what is going on; not where stdout shows it already. */
export function runNotices(io: Io, progress: boolean): RunNotices {
  let turn = 0;
  /** Whether the message that comes is still being thought about; undefined before its first piece. */
  let thinking: boolean | undefined;
  const show = (text: string) => {
    if (progress) io.progress(`turn ${turn}: ${text}`);
  };
  return {
    event(event) {
      if (event.type === "turn_start") {
        turn = event.turn;
        show("waiting for the model");
      }
      if (event.type === "message_start") thinking = undefined;
      if (event.type === "message_update" && thinking !== false && thinking !== (event.kind === "thinking")) {
        thinking = event.kind === "thinking";
        show(thinking ? "the model is thinking" : "the model is writing");
      }
      if (event.type === "tool_execution_start")
        show(`${event.toolName} ${oneLine(JSON.stringify(event.arguments) ?? "", 80)}`);
      const text = noticeOf(event);
      if (text !== undefined) io.notice(text);
    },
  };
}

function noticeOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "ttsr_triggered":
      return event.reason === undefined
        ? `${rulesOf(event)} stopped the model in its ${placeOf(event)}; asking again with a reminder`
        : `${rulesOf(event)} matched in the ${placeOf(event)}; ${event.reason}`;
    case "ttsr_suppressed":
      return `${rulesOf(event)} matched in the ${placeOf(event)} and did nothing: ${event.reason ?? "suppressed"}`;
    case "retry":
      return `${event.error}; retry ${event.attempt} of ${event.maxAttempts} in ${renderDuration(event.delayMs)}`;
    case "permission_denied":
      return `denied: ${event.tool} ${oneLine(event.target, 200)}: ${event.reason}${event.hint === undefined ? "" : ` (${event.hint})`}`;
    case "compaction_start":
      return `the conversation nears the window (about ${event.tokensBefore} tokens); summarising its older part`;
    case "notice":
      return event.message;
    default:
      return undefined;
  }
}

function rulesOf({ rules }: TtsrEvent): string {
  return `${plural(rules.length, "rule")} ${rules.map(({ name }) => name).join(", ")}`.replace(/^\d+ /, "");
}

/** `text at offset 9`, `call of write at offset 32`. */
function placeOf({ stream, at }: TtsrEvent): string {
  return `${stream.replace(/^tool:/, "call of ")} at offset ${at}`;
}
