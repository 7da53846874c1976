// The agent loop: ask the model, watch the stream, run the tool calls, repeat, until a turn has no tool calls. It is a
// generator of events and records nothing itself. At every event the conversation is one that a model accepts.

import { NO_USAGE } from "../model/messages.ts";
import { estimateRequestTokens } from "../model/tokens.ts";
import { fitToWindow } from "./compaction.ts";
import { endAtLimit, endOfClock } from "./ends.ts";
import type { AgentEnd, AgentEvent } from "./events.ts";
import { follow } from "./follow.ts";
import { startClock } from "./limits.ts";
import { createRepetitionDetector } from "./repetition.ts";
import { type Answer, askModel, discard } from "./request.ts";
import type { AgentRun } from "./run.ts";
import { inject, say } from "./say.ts";
import { type LoopState, requestOf } from "./state.ts";

/** Requests that the server refuses as too large, one after another, before the run fails. */
const MAX_OVERFLOWS = 2;

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
    usage: NO_USAGE,
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
    state.usage = NO_USAGE;
    yield { type: "turn_start", turn };
    const answer = yield* ask(state);
    const next = yield* follow(state, answer);
    const interrupted = answer.kind === "interrupted";
    yield { type: "turn_end", turn, interrupted, usage: state.usage };
    if (next.kind === "end") return next.end;
    if (interrupted) continue;
    turns = turn;
  }
}

/**
 * One request that fits the window; one that the server refuses as too large is made again if it can be made smaller.
 * What the server counted corrects the next estimate.
 */
async function* ask(state: LoopState): AsyncGenerator<AgentEvent, Answer> {
  let refused: { readonly answer: Answer; readonly estimated: number } | undefined;
  for (let overflows = 0; ; overflows++) {
    const problem = yield* fitToWindow(state, refused !== undefined);
    if (problem !== undefined) return { ...problem, message: undefined };
    const estimated = estimateRequestTokens(requestOf(state));
    if (refused !== undefined && estimated >= refused.estimated) return refused.answer;
    const answer = yield* askModel(state);
    if (answer.kind === "message") state.lastCount = { estimated, counted: answer.message.usage.input };
    const overflow = answer.kind === "failed" && answer.failure.reason === "contextOverflow";
    if (!overflow || overflows >= MAX_OVERFLOWS) return answer;
    yield* discard(state, answer.message);
    refused = { answer: { ...answer, message: undefined }, estimated };
  }
}
