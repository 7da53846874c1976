// The agent loop: ask the model, watch the stream, run the tool calls, repeat, until a turn has no tool calls. It is a
// generator of events and records nothing itself. At every event the conversation is one that a model accepts.

import { type Message, textOf, toolCallsOf } from "../model/messages.ts";
import { estimateRequestTokens } from "../model/tokens.ts";
import { fitToWindow } from "./compaction.ts";
import {
  ENDED_BY_RULE,
  ENDED_DENIED,
  ENDED_EMPTY,
  endAtLimit,
  endOfBadAnswer,
  endOfClock,
  endOfFailure,
  STOPPED,
} from "./ends.ts";
import type { AgentEnd, AgentEvent } from "./events.ts";
import type { Injection } from "./guard.ts";
import { startClock } from "./limits.ts";
import { badAnswer, badToolCall, EMPTY_ANSWER, note } from "./notes.ts";
import { createRepetitionDetector } from "./repetition.ts";
import { type Answer, askModel } from "./request.ts";
import type { AgentRun } from "./run.ts";
import { type LoopState, requestOf, usageOf } from "./state.ts";
import { interruptTurn } from "./time-travel.ts";
import { notRun, resultMessage, runToolCalls } from "./tool-calls.ts";

/** Times that a call which the server could not parse is answered before the run fails. */
const MAX_BAD_CALLS = 3;

/** Requests that the server refuses as too large, one after another, before the run fails. */
const MAX_OVERFLOWS = 2;

/** What follows a turn. */
type Next =
  | { readonly kind: "again" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "end"; readonly end: AgentEnd };

const AGAIN: Next = { kind: "again" };

/**
 * Runs one prompt to its end. The last event is `agent_end`, whatever happens: a failure of the model, a limit and the
 * signal are ends, not exceptions. What throws is a bug, or whatever the reader of the events threw. Leaving the
 * generator early closes the request and ends running tools.
 */
export async function* runAgent(run: AgentRun, signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
  const now = run.now ?? Date.now;
  const clock = startClock(run.limits, signal);
  const state: LoopState = {
    run,
    clock,
    now,
    messages: [...run.history],
    repetition: createRepetitionDetector(),
    nudged: false,
    badCalls: 0,
    repaired: false,
    lastCount: undefined,
    overflows: 0,
  };
  try {
    const tools = run.tools.offered.map((tool) => tool.spec.name);
    yield { type: "agent_start", model: `${run.model.provider}/${run.model.id}`, tools };
    for (const message of run.prompt) yield* say(state, message);
    const last = yield* runTurns(state);
    const injection = run.guard?.runEnded();
    if (injection !== undefined) yield* inject(state, injection);
    yield last;
  } finally {
    clock.stop();
  }
}

async function* runTurns(state: LoopState): AsyncGenerator<AgentEvent, AgentEnd> {
  const { run, clock } = state;
  for (let turns = 0; ; ) {
    if (clock.ended !== undefined) return endOfClock(clock, run.limits);
    const limit = clock.reached(turns);
    if (limit !== undefined) return endAtLimit(limit, run.limits);
    const turn = turns + 1;
    yield { type: "turn_start", turn };
    const answer = yield* ask(state);
    const usage = usageOf(answer);
    clock.spend(usage.output);
    const next = yield* follow(state, answer);
    const interrupted = answer.kind === "interrupted";
    yield { type: "turn_end", turn, interrupted, usage };
    if (next.kind === "end") return next.end;
    if (interrupted) continue;
    turns = turn;
  }
}

/** One request that fits the window. What the server counted corrects the next estimate. */
async function* ask(state: LoopState): AsyncGenerator<AgentEvent, Answer> {
  for (;;) {
    const problem = yield* fitToWindow(state, state.overflows > 0);
    if (problem?.kind === "cut") return { kind: "cut", message: undefined };
    if (problem?.kind === "failed") return { ...problem, message: undefined };
    const request = requestOf(state);
    const answer = yield* askModel(state, request);
    if (answer.kind === "message") {
      state.overflows = 0;
      state.lastCount = { estimated: estimateRequestTokens(request), counted: answer.message.usage.input };
    }
    const overflow = answer.kind === "failed" && answer.failure.reason === "contextOverflow";
    if (!overflow || state.overflows >= MAX_OVERFLOWS) return answer;
    if (answer.message !== undefined) yield { type: "message_end", message: answer.message, discarded: true };
    state.overflows += 1;
  }
}

async function* follow(state: LoopState, answer: Answer): AsyncGenerator<AgentEvent, Next> {
  const { run, clock } = state;
  switch (answer.kind) {
    case "message":
      return yield* followMessage(state, answer);
    case "interrupted":
      yield* interruptTurn(state, answer);
      if (clock.ended !== undefined) return end(endOfClock(clock, run.limits));
      return answer.interrupt.last ? end(ENDED_BY_RULE) : { kind: "interrupted" };
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
  run.guard?.messageStays();
  const calls = toolCallsOf(message);
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
  if (stop === "aborted" || clock.ended !== undefined) return end(endOfClock(clock, run.limits));
  if (stop === "denied") return end(ENDED_DENIED);
  if (stop === "repetition") return end(endAtLimit("repetition", run.limits));
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
  for (const call of toolCallsOf(message)) {
    const result = notRun(call, "the run was ended", state.now());
    state.messages.push(result);
    yield* resultMessage(result);
  }
}

/** A reminder that follows a turn which nothing interrupted. */
function* inject(state: LoopState, injection: Injection): Generator<AgentEvent, void> {
  const { reminder, injectedRules } = injection;
  state.messages.push(reminder);
  yield { type: "branch", mode: "keep", partial: undefined, results: [], reminder, injectedRules };
  yield { type: "message_start", role: "custom" };
  yield { type: "message_end", message: reminder };
}

/** Adds a message of ours to the conversation. */
function* say(state: LoopState, message: Message): Generator<AgentEvent, void> {
  state.messages.push(message);
  yield { type: "message_start", role: message.role };
  yield { type: "message_end", message };
}

function end(agentEnd: AgentEnd): Next {
  return { kind: "end", end: agentEnd };
}
