// What the server's errors mean: whether trying again can help, how long to wait, and which exit it will be.

import { deepEqual, equal } from "node:assert/strict";
import type { Case } from "../../testing/cases.ts";
import type { ModelFailure } from "../model.ts";
import { connectionFailure, type ErrorReply, parseRetryAfter, replyFailure } from "./failure.ts";

const ASKED = { host: "http://h:1", model: "m" };

function classify(status: number, text: string, more: Partial<ErrorReply> = {}): ModelFailure {
  return replyFailure({ status, text, retryAfterMs: undefined, ...more }, ASKED);
}

/** Status, text of the server, and then kind, retryable, reason. */
const REPLIES: readonly (readonly [number, string, string, boolean, string?])[] = [
  [400, "model is required", "failed", false],
  [400, '"m" does not support tools', "failed", false],
  [400, '"m" does not support thinking', "failed", false],
  [400, 'invalid think value: "max" (must be "high", "medium", "low", true, or false)', "failed", false],
  [401, "unauthorized", "failed", false],
  [402, "payment required", "failed", false],
  [403, "forbidden", "failed", false],
  [404, "model 'm' not found", "notFound", false],
  [404, 'model "m" not found, try pulling it first', "notFound", false],
  [404, "404 page not found", "failed", false],
  [405, "405 method not allowed", "failed", false],
  [408, "request timeout", "failed", false],
  [413, "http: request body too large", "failed", false],
  [422, "cannot be processed", "failed", false],
  [499, "client closed request", "failed", false],
  [429, "too many requests", "unavailable", true],
  [429, "too many concurrent requests", "unavailable", true],
  [429, "", "unavailable", true],
  [429, "you (me) have reached your weekly usage limit, upgrade for higher limits", "failed", false],
  [429, "you've reached your hourly usage limit", "failed", false],
  [429, "monthly quota exceeded", "failed", false],
  [500, "llama runner process has terminated: exit status 2", "unavailable", true],
  [500, "", "unavailable", true],
  [502, "<html><h1>502 Bad Gateway</h1></html>", "unavailable", true],
  [503, "server busy, please try again.  maximum pending requests exceeded", "unavailable", true],
  [504, "gateway timeout", "unavailable", true],
  [524, "a timeout occurred", "unavailable", true],
  [501, "not implemented", "failed", false],
  [
    500,
    `error parsing tool call: raw='{"path": ', err=unexpected end of JSON input`,
    "failed",
    false,
    "badToolCall",
  ],
  [500, "XML syntax error on line 3: unexpected EOF", "failed", false, "badToolCall"],
  [400, "the input length exceeds the context length", "failed", false, "contextOverflow"],
  [
    400,
    '{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (4096 tokens)","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}',
    "failed",
    false,
    "contextOverflow",
  ],
  [
    500,
    '{"type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":4}',
    "failed",
    false,
    "contextOverflow",
  ],
];

const DAY = Date.parse("2026-01-01T00:00:00Z");

export const FAILURE_CASES: readonly Case[] = [
  ...REPLIES.map(([status, text, kind, retryable, reason]) => ({
    name: `replyFailure() takes ${status} ${JSON.stringify(text.slice(0, 60))} for ${reason ?? kind}`,
    run: () => {
      const failure = classify(status, text);
      deepEqual([failure.kind, failure.retryable, failure.reason], [kind, retryable, reason]);
    },
  })),
  {
    name: "replyFailure() says what was asked, of whom, why it failed and the way out",
    run: () => {
      deepEqual(classify(404, "model 'm' not found"), {
        kind: "notFound",
        message: 'The server at http://h:1 has no model "m"',
        hint: '"ollama pull m" brings it; "agent models" lists what the server has.',
        retryable: false,
      });
      deepEqual(classify(401, "unauthorized", { signinUrl: "https://s" }), {
        kind: "failed",
        message: "Not allowed: http://h:1 answered 401: unauthorized",
        hint: "Sign in at https://s, or set OLLAMA_API_KEY.",
        retryable: false,
      });
    },
  },
  {
    name: "replyFailure() passes on how long the server asked to wait",
    run: () => {
      equal(classify(503, "busy", { retryAfterMs: 7000 }).retryAfterMs, 7000);
      equal(classify(429, "slow down", { retryAfterMs: 2000 }).retryAfterMs, 2000);
      equal("retryAfterMs" in classify(503, "busy"), false);
    },
  },
  {
    name: "replyFailure() takes a 429 that asks for hours for a spent quota, and says when it is renewed",
    run: () => {
      const { kind, retryable, hint } = classify(429, "too many requests", { retryAfterMs: 7_200_000 });
      deepEqual(
        [kind, retryable, hint],
        ["failed", false, "It is renewed in 2 h 0 m; another model or host may answer now."],
      );
    },
  },
  {
    name: "replyFailure() names both sizes of a prompt that is too long",
    run: () => {
      const text = '{"error":{"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}';
      equal(
        classify(400, text).message,
        "The prompt does not fit the model's context window: 9000 tokens for 4096",
      );
    },
  },
  {
    name: "replyFailure() keeps a page of HTML to one short line",
    run: () => equal(classify(502, `<html>\n${"x".repeat(5000)}\n</html>`).message.length < 400, true),
  },
  {
    name: "parseRetryAfter() reads seconds and dates, and nothing else",
    run: () =>
      deepEqual(
        ["5", "0", "1.5", "Thu, 01 Jan 2026 00:00:09 GMT", "Wed, 31 Dec 2025 00:00:00 GMT", "soon", null].map(
          (value) => parseRetryAfter(value, DAY),
        ),
        [5000, 0, 1500, 9000, 0, undefined, undefined],
      ),
  },
  {
    name: "connectionFailure() gives one message for the words of every runtime",
    run: () => {
      const refused = [
        Object.assign(new Error("Unable to connect. Is the computer able to access the url?"), {
          code: "ConnectionRefused",
        }),
        new TypeError("fetch failed", {
          cause: Object.assign(new Error("connect ECONNREFUSED 1.2.3.4:1"), {}),
        }),
        new TypeError(
          "error sending request for url (http://h:1/): tcp connect error: Connection refused (os error 111)",
        ),
      ];
      for (const error of refused) {
        deepEqual(connectionFailure(error, ASKED), {
          kind: "unavailable",
          message: "Cannot reach the Ollama server at http://h:1: connection refused",
          hint: 'Start it with "ollama serve", or name another with --host or OLLAMA_HOST.',
          retryable: true,
        });
      }
    },
  },
  {
    name: "connectionFailure() does not retry a certificate that is not trusted",
    run: () => {
      const error = Object.assign(new Error("self signed certificate"), {
        code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      });
      deepEqual(
        [connectionFailure(error, ASKED).kind, connectionFailure(error, ASKED).retryable],
        ["failed", false],
      );
    },
  },
];
