// The outputs for people and for pipes that want text: the final answer once, the text as it comes, or the session.

import { visibleControls } from "../base/text.ts";
import type { SessionWriter } from "../session/session.ts";
import type { Io } from "./io.ts";
import type { RunOutput } from "./run-output.ts";

/** The final answer, once, with a newline at its end; nothing that was void. */
export function textOutput(io: Io): RunOutput {
  return {
    async begin() {},
    async event() {},
    async end(result, answered) {
      if (answered && result.text !== "") await io.stdout.write(shown(io, withNewline(result.text)));
    },
  };
}

/** Text as it comes. Text that became void cannot be taken back; stderr says so. */
export function liveOutput(io: Io): RunOutput {
  let column = 0;
  const write = async (text: string) => {
    if (text === "") return;
    io.progress(undefined);
    column = text.endsWith("\n") ? 0 : 1;
    await io.stdout.write(shown(io, text));
  };
  const newline = () => (column === 0 ? Promise.resolve() : write("\n"));
  let printed = false;
  return {
    async begin() {},
    async event(event) {
      switch (event.type) {
        case "message_start":
          printed = false;
          return;
        case "message_update":
          if (event.kind !== "text") return;
          printed = true;
          return await write(event.delta);
        case "ttsr_triggered":
          // Without a reason the message ends here.
          return event.reason === undefined ? await newline() : undefined;
        case "message_end":
          if (event.message.role !== "assistant") return;
          await newline();
          if (printed && event.discarded === true)
            io.notice("the text above is void: it is not part of the session");
          else if (printed && event.message.stopReason === "error")
            io.notice("the text above is void: its request failed");
          return;
        default:
          return;
      }
    },
    end: newline,
  };
}

/** The whole updated session. */
export function sessionOutput(io: Io): RunOutput {
  let session: SessionWriter | undefined;
  return {
    async begin(writer) {
      session = writer;
    },
    async event() {},
    async end() {
      if (session === undefined) return;
      for await (const chunk of session.lines()) await io.stdout.write(chunk);
    },
  };
}

function withNewline(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** On a terminal control characters are made visible; in a pipe the bytes pass unchanged. */
function shown(io: Io, text: string): string {
  return io.stdout.isTerminal ? visibleControls(text) : text;
}
