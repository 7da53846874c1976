// What happens after a rule cut the stream: it is told, the delay passes, and one event carries the partial message,
// the reminder and the names of the rules, so that the recorder writes them at once. A signal, a limit or an error in
// the delay shortens it and changes nothing else.

import { sleep } from "../base/timer.ts";
import { type AssistantMessage, toolCallsOf } from "../model/messages.ts";
import type { AgentEvent } from "./events.ts";
import type { Answer } from "./request.ts";
import type { LoopState } from "./state.ts";
import { notRun, resultMessage } from "./tool-calls.ts";

/** From the cut stream to a conversation with the reminder at its end. The request is closed already. */
export async function* interruptTurn(
  state: LoopState,
  { message, interrupt }: Answer & { kind: "interrupted" },
): AsyncGenerator<AgentEvent, void> {
  const { mode, reminder, injectedRules } = interrupt;
  yield* interrupt.events;
  await sleep(interrupt.delayMs, state.clock.signal);
  const results = mode === "keep" ? resultsOf(message, injectedRules, state.now()) : [];
  if (mode === "keep") state.messages.push(message, ...results);
  state.messages.push(reminder);
  yield { type: "branch", mode, partial: message, results, reminder, injectedRules };
  yield { type: "message_end", message, ...(mode === "discard" ? { discarded: true } : {}) };
  for (const result of results) yield* resultMessage(result);
  yield { type: "message_start", role: "custom" };
  yield { type: "message_end", message: reminder };
}

function resultsOf(message: AssistantMessage, rules: readonly string[], timestamp: number) {
  const why = `interrupted by ${rules.length === 1 ? "rule" : "rules"} ${rules.join(", ")}`;
  return toolCallsOf(message).map((call) => notRun(call, why, timestamp));
}
