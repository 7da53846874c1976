// What went wrong with a request, from whatever the server, the connection or the client library gave: one decision
// on kind, on whether trying again can help, and on the way out.

import { renderDuration } from "../../base/duration.ts";
import { AppError, isRetryable, messageOf } from "../../base/errors.ts";
import { isObject, numberAt, objectAt, parseJson, stringAt } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import type { ModelFailure } from "../model.ts";

/** Carries a failure through code that knows only exceptions. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The same, for callers that throw `AppError`. */
export function failureError(failure: ModelFailure): AppError {
  return new AppError(
    failure.kind,
    failure.message,
    failure.hint === undefined ? {} : { hint: failure.hint },
  );
}

/** What the server was asked for: names for messages and hints. */
export interface Asked {
  readonly host: string;
  readonly model: string;
}

export interface ErrorReply {
  readonly status: number;
  /** The `error` text, or the body if it is not JSON. */
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  readonly signinUrl?: string;
}

/** An HTTP error, or an error line of a stream (then `status` is 500 if the line names none). */
export function replyFailure(reply: ErrorReply, asked: Asked): ModelFailure {
  const known = overflowReply(reply.text) ?? brokenToolCall(reply.text) ?? knownText(reply, asked);
  if (known !== undefined) return known;
  const { status } = reply;
  const says = `${asked.host} answered ${status}: ${describeBody(reply.text)}`;
  if (status === 401 || status === 403) return failed(`Not allowed: ${says}`, signInHint(reply));
  if (status === 429) return quotaOrBusy(reply, says);
  if (status >= 500 && status !== 501 && status !== 505) {
    return unavailable(`The model server failed: ${says}`, reply.retryAfterMs);
  }
  if (status === 404)
    return failed(`Not found: ${says}`, `Is ${asked.host} an Ollama server? Set --host or OLLAMA_HOST.`);
  return failed(`The model server refused the request: ${says}`);
}

function knownText(reply: ErrorReply, asked: Asked): ModelFailure | undefined {
  const { text } = reply;
  if (/model\b.*\bnot found/i.test(text)) {
    return {
      kind: "notFound",
      message: `The server at ${asked.host} has no model "${asked.model}"`,
      hint: `"ollama pull ${asked.model}" brings it; "agent models" lists what the server has.`,
      retryable: false,
    };
  }
  if (/does not support tools/i.test(text)) {
    return failed(
      `${asked.model}: ${text}`,
      'Choose a model with the capability "tools" ("agent models" shows it).',
    );
  }
  if (/does not support thinking|think value/i.test(text)) {
    return failed(`${asked.model}: ${text}`, "Try --think off or --think on.");
  }
  return undefined;
}

/** `exceed_context_size_error`, in whatever nesting, or the words of other engines for it. */
function overflowReply(text: string): ModelFailure | undefined {
  const inner = parseJson(text);
  const error = isObject(inner) ? (objectAt(inner, "error") ?? inner) : undefined;
  const type = error === undefined ? undefined : stringAt(error, "type");
  const worded =
    /exceeds? the (available )?(maximum )?context (size|length|window)|exceed_context_size|prompt (is )?too long/i;
  if (type !== "exceed_context_size_error" && !worded.test(text)) return undefined;
  const tokens = error === undefined ? undefined : numberAt(error, "n_prompt_tokens");
  const window = error === undefined ? undefined : numberAt(error, "n_ctx");
  return contextOverflow(tokens === undefined || window === undefined ? undefined : { tokens, window });
}

/** A prompt that is too long for the window, with the sizes if they are known. */
export function contextOverflow(sizes?: { readonly tokens: number; readonly window: number }): ModelFailure {
  const shown = sizes === undefined ? "" : `: ${sizes.tokens} tokens for ${sizes.window}`;
  return {
    kind: "failed",
    message: `The prompt does not fit the model's context window${shown}`,
    hint: "Give it more room with --num-ctx, or send less.",
    retryable: false,
    reason: "contextOverflow",
  };
}

function brokenToolCall(text: string): ModelFailure | undefined {
  if (!/error parsing tool call|XML syntax error/i.test(text)) return undefined;
  return {
    kind: "failed",
    message: `The model wrote a tool call that cannot be read: ${oneLine(text, 400)}`,
    retryable: false,
    reason: "badToolCall",
  };
}

/** Longer than this is no wait for a script: whoever is asked to wait so long has used something up. */
const LONGEST_BUSY_MS = 600_000;

/** A quota that is spent comes back in hours or days; a busy server in seconds. Both are 429. */
function quotaOrBusy(reply: ErrorReply, says: string): ModelFailure {
  const spent =
    /quota|usage limit|(hour|session|daily|weekly|monthly)(ly)? (usage |request )?limit|upgrade|billing|credit/i;
  const wait = reply.retryAfterMs ?? 0;
  if (!spent.test(reply.text) && wait <= LONGEST_BUSY_MS) {
    return unavailable(`The model server is busy: ${says}`, reply.retryAfterMs);
  }
  const until = wait > 0 ? `It is renewed in ${renderDuration(wait)}` : "Wait until it is renewed";
  return failed(`The quota is used up: ${says}`, `${until}; another model or host may answer now.`);
}

function signInHint(reply: ErrorReply): string {
  return reply.signinUrl === undefined
    ? 'Set OLLAMA_API_KEY, or sign the server in with "ollama signin".'
    : `Sign in at ${reply.signinUrl}, or set OLLAMA_API_KEY.`;
}

function describeBody(text: string): string {
  return text.trim() === "" ? "(no text)" : oneLine(text, 300);
}

/** No connection, or one that was lost before the headers. */
export function connectionFailure(error: unknown, asked: Asked): ModelFailure {
  const why = connectionReason(error);
  if (/certificate|CERT_|SELF_SIGNED|UnknownIssuer|ERR_TLS/i.test(why)) {
    return failed(
      `Cannot reach ${asked.host}: ${why}`,
      "The server's certificate is not trusted by this machine.",
    );
  }
  return {
    ...unavailable(`Cannot reach the Ollama server at ${asked.host}: ${why}`),
    hint: 'Start it with "ollama serve", or name another with --host or OLLAMA_HOST.',
  };
}

const NO_HTTP = "what answers there does not speak HTTP";

/** Whether a failure of `connectionFailure` means that nothing answered. */
export function isSilence({ kind, message }: ModelFailure): boolean {
  return kind === "unavailable" && !message.endsWith(NO_HTTP);
}

/** The words of the runtimes, made one. */
function connectionReason(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? ` ${messageOf(error.cause)}` : "";
  const code = isObject(error) ? ` ${String(error["code"] ?? "")}` : "";
  const text = `${messageOf(error)}${code}${cause}`;
  if (/refused/i.test(text)) return "connection refused";
  if (/reset|closed unexpectedly|ConnectionClosed|EPIPE|before message completed/i.test(text))
    return "connection closed";
  if (/ENOTFOUND|EAI_|getaddrinfo|dns|resolve/i.test(text)) return "the host name is not known";
  if (/malformed|InvalidHTTP|HeadersTooLarge|hyper::Error\(Parse|parse error/i.test(text)) return NO_HTTP;
  // Bun adds advice for whoever calls `fetch`.
  return oneLine(messageOf(error).replace(/ fetching "[\s\S]*$/, ""), 200);
}

/** A stream that stopped before its end, or was not a stream of ours. */
export function brokenStream(why: string): ModelFailure {
  return unavailable(`The model's answer broke off: ${why}`);
}

/** An `AppError` as a failure; the way back from `failureError`. */
export function failureOfError(error: AppError): ModelFailure {
  const { kind, message, hint } = error;
  return { kind, message, retryable: isRetryable(kind), ...(hint === undefined ? {} : { hint }) };
}

/** Anything that the client library threw while a request ran. */
export function thrownFailure(error: unknown, asked: Asked): ModelFailure {
  if (error instanceof ModelError) return error.failure;
  if (error instanceof AppError) return failureOfError(error);
  return brokenStream(`${connectionReason(error)} (${asked.host})`);
}

function failed(message: string, hint?: string): ModelFailure {
  return { kind: "failed", message, retryable: false, ...(hint === undefined ? {} : { hint }) };
}

function unavailable(message: string, retryAfterMs?: number): ModelFailure {
  return {
    kind: "unavailable",
    message,
    retryable: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** `Retry-After` in milliseconds: seconds, or a date. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Math.round(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
