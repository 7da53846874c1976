// What follows an answer: its tool calls, one more request, or the end of the run. Every call gets a result here,
// whatever the answer came to.

import { type ToolCallBlock, textOf, toolCallsOf } from "../model/messages.ts";
import {
  ENDED_EMPTY,
  endAtLimit,
  endByRules,
  endOfBadAnswer,
  endOfClock,
  endOfDenial,
  endOfFailure,
  endOfRepetition,
  endOfViolation,
  STOPPED,
} from "./ends.ts";
import type { AgentEnd, AgentEvent } from "./events.ts";
import { badAnswer, badToolCall, EMPTY_ANSWER, note } from "./notes.ts";
import type { Answer } from "./request.ts";
import { inject, say } from "./say.ts";
import type { LoopState } from "./state.ts";
import { interruptTurn } from "./time-travel.ts";
import { isKnownTool } from "./tool-answer.ts";
import { notRun, resultMessage, runToolCalls } from "./tool-calls.ts";

/** Turns in a row whose calls could not be parsed, or name no tool there is, that are answered before the run fails. */
const MAX_BAD_CALLS = 3;

/** What follows a turn. */
export type Next =
  | { readonly kind: "again" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "end"; readonly end: AgentEnd };

const AGAIN: Next = { kind: "again" };

/** Takes an answer into the conversation and does what it asks for. */
export async function* follow(state: LoopState, answer: Answer): AsyncGenerator<AgentEvent, Next> {
  const { run, clock } = state;
  switch (answer.kind) {
    case "message":
      return yield* followMessage(state, answer);
    case "interrupted":
      yield* interruptTurn(state, answer);
      if (clock.ended !== undefined) return end(endOfClock(clock, run.limits));
      return answer.interrupt.last
        ? end(endByRules(answer.interrupt.injectedRules))
        : { kind: "interrupted" };
    case "cut":
      yield* closeCutMessage(state, answer);
      return end(endOfClock(clock, run.limits));
    case "failed":
      return yield* followFailure(state, answer);
  }
}

/** The message stands: run its calls, or see whether it is an answer. */
async function* followMessage(
  state: LoopState,
  { message }: Answer & { kind: "message" },
): AsyncGenerator<AgentEvent, Next> {
  const { run, clock, now, repetition } = state;
  state.messages.push(message);
  const violating = run.guard?.messageStays() ?? [];
  const calls = toolCallsOf(message);
  if (run.failOnViolation === true && violating.length > 0) {
    yield* closeCalls(state, calls, "a rule forbids a call of this message");
    return end(endOfViolation([...new Set(violating.map(({ rule }) => rule))]));
  }
  const { results, stop } = yield* runToolCalls(calls, {
    tools: run.tools,
    signal: clock.signal,
    now,
    repetition,
    failOnDenied: run.failOnDenied === true,
  });
  state.messages.push(...results);
  const injection = run.guard?.turnCompleted(calls.map((call) => call.id));
  if (injection !== undefined) yield* inject(state, injection);
  if (clock.ended !== undefined) return end(endOfClock(clock, run.limits));
  if (stop?.kind === "denied") return end(endOfDenial(stop));
  if (stop?.kind === "repetition") return end(endOfRepetition(stop.tool));
  const usable = calls.length === 0 || calls.some((call) => isKnownTool(run.tools, call.name));
  state.badCalls = usable ? 0 : state.badCalls + 1;
  if (state.badCalls > MAX_BAD_CALLS)
    return end(endOfBadAnswer("The model went on calling tools that do not exist"));
  if (calls.length > 0 || injection !== undefined) return AGAIN;
  if (message.stopReason === "length") return end(endAtLimit("tokens", run.limits));
  return yield* judgeAnswer(state, textOf(message.content));
}

/** A message without calls is the answer, if it has text and follows the schema. */
async function* judgeAnswer(state: LoopState, text: string): AsyncGenerator<AgentEvent, Next> {
  if (text.trim() === "") {
    if (state.nudged) return end(ENDED_EMPTY);
    state.nudged = true;
    yield* say(state, note("empty-answer", EMPTY_ANSWER, state.now()));
    return AGAIN;
  }
  const reasons = state.run.answerFormat?.check(text) ?? [];
  if (reasons.length === 0) return end(STOPPED);
  if (state.repaired)
    return end(endOfBadAnswer(`The answer does not follow the schema: ${reasons.join("; ")}`));
  state.repaired = true;
  yield* say(state, note("schema-repair", badAnswer(reasons), state.now()));
  return AGAIN;
}

async function* followFailure(
  state: LoopState,
  { message, failure }: Answer & { kind: "failed" },
): AsyncGenerator<AgentEvent, Next> {
  state.run.guard?.messageVoid();
  if (failure.reason === "badToolCall" && state.badCalls < MAX_BAD_CALLS) {
    state.badCalls += 1;
    if (message !== undefined) yield { type: "message_end", message, discarded: true };
    yield* say(state, note("bad-tool-call", badToolCall(failure.message), state.now()));
    state.run.guard?.turnCompleted([]);
    return AGAIN;
  }
  if (message !== undefined) {
    yield { type: "message_end", message };
    for (const call of toolCallsOf(message)) {
      yield* resultMessage(notRun(call, "the request failed", state.now()));
    }
  }
  return end(endOfFailure(failure));
}

/** What came before a signal or the time limit stays, with a result for each of its calls. */
async function* closeCutMessage(
  state: LoopState,
  { message }: Answer & { kind: "cut" },
): AsyncGenerator<AgentEvent, void> {
  if (message === undefined) return state.run.guard?.messageVoid();
  state.run.guard?.messageStays();
  state.messages.push(message);
  yield { type: "message_end", message };
  yield* closeCalls(state, toolCallsOf(message), "the run was ended");
}

/** Calls that are not run have a result all the same. */
function* closeCalls(
  state: LoopState,
  calls: readonly ToolCallBlock[],
  why: string,
): Generator<AgentEvent, void> {
  for (const call of calls) {
    const result = notRun(call, why, state.now());
    state.messages.push(result);
    yield* resultMessage(result);
  }
}

function end(agentEnd: AgentEnd): Next {
  return { kind: "end", end: agentEnd };
}
