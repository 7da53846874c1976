// The second step of compaction: the model summarises the older part, piece by piece if it is larger than the window.

import { cutAt } from "../base/text.ts";
import { type Message, textOf } from "../model/messages.ts";
import type { ModelFailure, ModelRequest } from "../model/model.ts";
import { estimateTokens } from "../model/tokens.ts";
import prompt from "./compaction-prompt.md" with { type: "text" };
import type { AgentEvent } from "./events.ts";
import { noticesOf } from "./request.ts";
import { mayRetry, waitForRetry } from "./retry.ts";
import { shortenText } from "./shorten.ts";
import { type LoopState, spend } from "./state.ts";

export interface SummaryRequest {
  readonly messages: readonly Message[];
  /** Tokens that one request and its answer may have. */
  readonly window: number;
}

/** `cut`: by a signal or a limit. */
export type Summary =
  | { readonly kind: "summary"; readonly text: string }
  | { readonly kind: "failed"; readonly failure: ModelFailure }
  | { readonly kind: "cut" };

/** Most tokens of a summary, as a part of the window. */
const SUMMARY_SHARE = 0.2;
/** Units of the user's last request that stand in a summary word for word. */
const QUOTED_UNITS = 4_000;

/** Summarises `messages`. The user's last request among them is quoted, whatever the model makes of it. */
export async function* summarise(
  state: LoopState,
  { messages, window }: SummaryRequest,
): AsyncGenerator<AgentEvent, Summary> {
  const pieceTokens = Math.max(500, Math.floor(window * (1 - 2 * SUMMARY_SHARE)) - estimateTokens(prompt));
  const maxTokens = Math.floor(window * SUMMARY_SHARE);
  let text = "";
  for (const piece of piecesOf(messages, pieceTokens)) {
    const before = text === "" ? "" : `Summary of what came before this part:\n\n${text}\n\n`;
    const answer = yield* askForSummary(state, {
      text: `${before}The conversation:\n\n${piece}`,
      maxTokens,
    });
    if (answer.kind !== "summary") return answer;
    text = answer.text.trim() === "" ? text : answer.text.trim();
  }
  return { kind: "summary", text: withRequest(text, messages) };
}

const QUOTE = "The user's last request in this part, word for word:";

function withRequest(summary: string, messages: readonly Message[]): string {
  const request = lastRequest(messages);
  if (request !== undefined) return `${summary}\n\n${QUOTE}\n\n${request}`.trim();
  return summary === "" ? "(Nothing is known of the older part.)" : summary;
}

/** Of a user message; where there is none, what the summary before quoted, so that a long run does not lose its task. */
function lastRequest(messages: readonly Message[]): string | undefined {
  const last = messages.findLast(({ role }) => role === "user" || role === "compactionSummary");
  if (last?.role === "user") {
    const request = textOf(last.content);
    const quoted = cutAt(request, QUOTED_UNITS);
    const rest = request.length - quoted.length;
    return rest === 0 ? quoted : `${quoted}\n[… ${rest} characters left out …]`;
  }
  if (last?.role !== "compactionSummary") return undefined;
  const at = last.summary.lastIndexOf(QUOTE);
  return at < 0 ? undefined : last.summary.slice(at + QUOTE.length).trim();
}

/** The conversation as text, in pieces of at most `tokens`, cut between messages where possible. */
function piecesOf(messages: readonly Message[], tokens: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let size = 0;
  for (const part of messages.map(renderMessage).flatMap((text) => cutText(text, tokens))) {
    const more = estimateTokens(`${part}\n\n`);
    if (piece !== "" && size + more > tokens) {
      pieces.push(piece);
      piece = "";
      size = 0;
    }
    piece += `${part}\n\n`;
    size += more;
  }
  return piece === "" ? pieces : [...pieces, piece];
}

function cutText(text: string, tokens: number): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += tokens) parts.push(text.slice(at, at + tokens).toWellFormed());
  return parts;
}

function renderMessage(message: Message): string {
  switch (message.role) {
    case "user":
      return `[User]\n${textOf(message.content)}`;
    case "assistant":
      return `[Agent]\n${message.content
        .map((block) => {
          if (block.type === "text") return block.text;
          return block.type === "toolCall"
            ? `(calls ${block.name} ${shortenText(JSON.stringify(block.arguments))})`
            : "";
        })
        .filter((part) => part !== "")
        .join("\n")}`;
    case "toolResult":
      return `[Result of ${message.toolName}${message.isError ? ", failed" : ""}]\n${shortenText(textOf(message.content))}`;
    case "bashExecution":
      return `[The user ran ${message.command}]\n${shortenText(message.output)}`;
    case "custom":
      return `[Note]\n${textOf(message.content)}`;
    case "branchSummary":
    case "compactionSummary":
      return `[Summary of earlier work]\n${message.summary}`;
  }
}

/** One request with its retries. It counts like any other of the turn, and keeps to the run's limits. */
async function* askForSummary(
  state: LoopState,
  { text, maxTokens }: { readonly text: string; readonly maxTokens: number },
): AsyncGenerator<AgentEvent, Summary> {
  const { clock } = state;
  for (let attempt = 1; ; attempt++) {
    const left = clock.tokensLeft ?? maxTokens;
    if (clock.ended !== undefined || left === 0) return { kind: "cut" };
    const answer = await lastEvent(state, {
      systemPrompt: prompt,
      messages: [{ role: "user", content: text, timestamp: 0 }],
      tools: [],
      options: { maxTokens: Math.min(maxTokens, left) },
    });
    if (answer.type === "done" || answer.message.content.length > 0) spend(state, answer.message);
    if (clock.ended !== undefined) return { kind: "cut" };
    if (answer.type === "done") {
      yield* noticesOf(answer);
      return { kind: "summary", text: textOf(answer.message.content) };
    }
    const failed = { failure: answer.failure, attempt };
    if (!mayRetry(state, failed)) return { kind: "failed", failure: answer.failure };
    yield* waitForRetry(state, failed);
  }
}

async function lastEvent({ run, clock }: LoopState, request: ModelRequest) {
  for await (const event of run.model.stream(request, clock.signal)) {
    if (event.type === "done" || event.type === "error") return event;
  }
  throw new Error("the model's stream ended without done or error");
}
