// Writing the document with a model. The prompt goes through the agent loop like any other, with rules and without tools,
// and is recorded like any other; what comes out is the text of its answer. A session that is larger than the window is
// reduced by the loop on the way; the reduction is not recorded.

import type { AgentEnd, AgentEvent } from "../agent/events.ts";
import type { RuleGuard } from "../agent/guard.ts";
import { runAgent } from "../agent/loop.ts";
import { type AgentRun, NO_TOOLS, type RunLimits } from "../agent/run.ts";
import { toAppError } from "../base/errors.ts";
import { addUsage, type Message, NO_USAGE, type Usage, type UserMessage } from "../model/messages.ts";
import type { Model, ModelOptions } from "../model/model.ts";
import { createRecorder } from "../recorder/recorder.ts";
import { buildSessionContext } from "../session/context.ts";
import type { Session, SessionWriter } from "../session/session.ts";
import { messagesOnBranch } from "./branch.ts";
import { createCapture } from "./capture.ts";
import {
  type HandoffEvent,
  type HandoffState,
  IDLE,
  isEnded,
  isGenerating,
  stepHandoff,
} from "./lifecycle.ts";
import { handoffPrompt, repairPrompt } from "./prompt.ts";
import { fillSections, parseSections, plainDocument, type SectionName } from "./sections.ts";

export interface GenerateOptions {
  readonly session: Session;
  /** Where prompt and answer are recorded: the session's own file, or memory where it cannot be written to. */
  readonly writer: SessionWriter;
  readonly model: Model;
  readonly options: ModelOptions;
  readonly systemPrompt: string;
  readonly focus: string | undefined;
  readonly guard: RuleGuard;
  /** Of all requests together. Time is the caller's: its signal ends the handoff. */
  readonly limits: Pick<RunLimits, "maxTokens">;
  readonly retry: AgentRun["retry"];
  /** Every event, after it was recorded. */
  readonly onEvent: (event: AgentEvent) => void;
}

export interface GeneratedHandoff {
  readonly document: string;
  /** Sections that the model left out, also when asked again. */
  readonly missing: readonly SectionName[];
  readonly usage: Usage;
}

/** A handoff on its way. */
export interface HandoffRun {
  /** Rejects with the `AppError` of its end: `nothing`, cancelled, or failed. The old session is sound in every end. */
  readonly result: Promise<GeneratedHandoff>;
  /** True from the prompt to the document. */
  readonly isGeneratingHandoff: boolean;
  /** Cancels it: `Handoff cancelled`. After its end it does nothing. */
  abortHandoff(): void;
}

/** Turns that a model may take: one, and a few more if it answers with calls to tools that it does not have. */
const MAX_TURNS = 6;

/** Starts it. `signal` cancels it like `abortHandoff()`; its reason is the cause of the end. */
export function generateHandoff(options: GenerateOptions, signal: AbortSignal): HandoffRun {
  const controller = new AbortController();
  const life = newLife();
  const result = run(options, life, AbortSignal.any([signal, controller.signal]));
  return {
    result,
    get isGeneratingHandoff() {
      return isGenerating(life.state);
    },
    abortHandoff: () => controller.abort(),
  };
}

interface Life {
  state: HandoffState;
  usage: Usage;
  step(event: HandoffEvent): HandoffState;
}

function newLife(): Life {
  return {
    state: IDLE,
    usage: NO_USAGE,
    step(event) {
      this.state = stepHandoff(this.state, event);
      return this.state;
    },
  };
}

async function run(options: GenerateOptions, life: Life, signal: AbortSignal): Promise<GeneratedHandoff> {
  life.step({ type: "start", messages: messagesOnBranch(options.session) });
  try {
    await converse(options, life, signal);
    if (signal.aborted) life.step({ type: "abort", reason: signal.reason });
  } catch (thrown) {
    life.step(
      signal.aborted
        ? { type: "abort", reason: signal.reason }
        : { type: "error", error: toAppError(thrown) },
    );
  }
  const state = life.state;
  if (state.name === "transferring")
    return { document: state.document, missing: state.missing, usage: life.usage };
  throw isEnded(state) && state.name !== "done"
    ? state.error
    : new Error(`a handoff cannot end in "${state.name}"`);
}

/** Asks for the document, and once more for the sections that it lacks. */
async function converse(options: GenerateOptions, life: Life, signal: AbortSignal): Promise<void> {
  if (!isGenerating(life.state)) return;
  const conversation: Message[] = [...buildSessionContext(options.session).messages];
  const text = handoffPrompt(options.focus);
  const first = await ask({ options, life, signal, conversation, text });
  if (!isGenerating(life.state)) return;
  const document = plainDocument(first);
  const { missing } = parseSections(document);
  const { maxTokens } = options.limits;
  const again = missing.length > 0 && (maxTokens === undefined || life.usage.output < maxTokens);
  life.step({ type: "parsed", document, missing, again });
  if (!again) return;
  const repair = await ask({ options, life, signal, conversation, text: repairPrompt(missing) });
  if (!isGenerating(life.state)) return;
  const filled = fillSections(document, plainDocument(repair), missing);
  life.step({ type: "parsed", document: filled, missing: parseSections(filled).missing, again: false });
}

interface Question {
  readonly options: GenerateOptions;
  readonly life: Life;
  readonly signal: AbortSignal;
  /** Grows by the prompt and its answer. */
  readonly conversation: Message[];
  readonly text: string;
}

/** One prompt through the loop; gives what was captured. */
async function ask(question: Question): Promise<string> {
  const { options, life, signal, conversation } = question;
  const { maxTokens } = options.limits;
  const prompt: UserMessage = { role: "user", content: question.text, timestamp: Date.now() };
  const recorder = createRecorder(options.writer);
  const capture = createCapture();
  let end: AgentEnd | undefined;
  const agentRun: AgentRun = {
    model: options.model,
    systemPrompt: options.systemPrompt,
    history: [...conversation],
    prompt: [prompt],
    tools: NO_TOOLS,
    options: options.options,
    limits: {
      maxTurns: MAX_TURNS,
      ...(maxTokens === undefined ? {} : { maxTokens: maxTokens - life.usage.output }),
    },
    retry: options.retry,
    guard: options.guard,
  };
  for await (const event of runAgent(agentRun, signal)) {
    if (event.type !== "compaction_start" && event.type !== "compaction_end") recorder.record(event);
    if (event.type === "message_end" && event.discarded !== true) conversation.push(event.message);
    capture.take(event);
    options.onEvent(event);
    if (event.type === "agent_end") end = event;
    if (capture.isEmptyAnswer) break;
  }
  life.usage = addUsage(life.usage, capture.usage);
  if (signal.aborted) life.step({ type: "abort", reason: signal.reason });
  life.step({ type: "answered", end: end ?? { type: "agent_end", reason: "empty" }, text: capture.text });
  return capture.text;
}
