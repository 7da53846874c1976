// The second step of compaction: the model summarises the older part, piece by piece if it is larger than the window.

import { sleep } from "../model/abort.ts";
import { addUsage, type Message, NO_USAGE, textOf, type Usage } from "../model/messages.ts";
import type { Model, ModelFailure, ModelRequest } from "../model/model.ts";
import { estimateTokens } from "../model/tokens.ts";
import { backoffDelay } from "./backoff.ts";
import prompt from "./compaction-prompt.md" with { type: "text" };
import type { RetryPolicy } from "./run.ts";
import { shortenText } from "./shorten.ts";

export interface SummaryRequest {
  readonly model: Model;
  readonly retry: RetryPolicy;
  readonly signal: AbortSignal;
  /** Tokens that one request and its answer may have. */
  readonly window: number;
}

export type Summary =
  | { readonly kind: "summary"; readonly text: string; readonly usage: Usage }
  | { readonly kind: "failed"; readonly failure: ModelFailure }
  | { readonly kind: "cut" };

/** Most tokens of a summary, as a part of the window. */
const SUMMARY_SHARE = 0.2;
/** Units of the user's last request that stand in a summary word for word. */
const QUOTED_UNITS = 4_000;

/** Summarises `messages`. The user's last request among them is quoted, whatever the model makes of it. */
export async function summarise(messages: readonly Message[], request: SummaryRequest): Promise<Summary> {
  const pieceTokens = Math.max(
    500,
    Math.floor(request.window * (1 - 2 * SUMMARY_SHARE)) - estimateTokens(prompt),
  );
  let text = "";
  let usage = NO_USAGE;
  for (const piece of piecesOf(messages, pieceTokens)) {
    const before = text === "" ? "" : `Summary of what came before this part:\n\n${text}\n\n`;
    const answer = await askOnce(`${before}The conversation:\n\n${piece}`, request);
    if (answer.kind !== "summary") return answer;
    text = answer.text.trim() === "" ? text : answer.text.trim();
    usage = addUsage(usage, answer.usage);
  }
  return { kind: "summary", text: withRequest(text, messages), usage };
}

function withRequest(summary: string, messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === "user");
  if (last === undefined) return summary === "" ? "(Nothing is known of the older part.)" : summary;
  const request = textOf(last.content).slice(0, QUOTED_UNITS).toWellFormed();
  return `${summary}\n\nThe user's last request in this part, word for word:\n\n${request}`.trim();
}

/** The conversation as text, in pieces of at most `tokens`, cut between messages where possible. */
function piecesOf(messages: readonly Message[], tokens: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const part of messages.map(renderMessage).flatMap((text) => cutText(text, tokens))) {
    if (piece !== "" && estimateTokens(piece) + estimateTokens(part) > tokens) {
      pieces.push(piece);
      piece = "";
    }
    piece += `${part}\n\n`;
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

async function askOnce(text: string, request: SummaryRequest): Promise<Summary> {
  const { model, retry, signal, window } = request;
  const wanted: ModelRequest = {
    systemPrompt: prompt,
    messages: [{ role: "user", content: text, timestamp: 0 }],
    tools: [],
    options: { maxTokens: Math.floor(window * SUMMARY_SHARE) },
  };
  for (let attempt = 1; ; attempt++) {
    const answer = await lastEvent(model, wanted, signal);
    if (signal.aborted) return { kind: "cut" };
    if (answer.type === "done") {
      return { kind: "summary", text: textOf(answer.message.content), usage: answer.message.usage };
    }
    const { failure } = answer;
    if (!failure.retryable || attempt > retry.attempts) return { kind: "failed", failure };
    const { retryAfterMs } = failure;
    await sleep(
      backoffDelay({ attempt, baseDelayMs: retry.baseDelayMs, retryAfterMs, random: Math.random() }),
      signal,
    );
    if (signal.aborted) return { kind: "cut" };
  }
}

async function lastEvent(model: Model, request: ModelRequest, signal: AbortSignal) {
  for await (const event of model.stream(request, signal)) {
    if (event.type === "done" || event.type === "error") return event;
  }
  throw new Error("the model's stream ended without done or error");
}
