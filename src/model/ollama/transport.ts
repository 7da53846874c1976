// The `fetch` that the client library is given: one for each request. It joins the library's abort signal with ours,
// turns HTTP errors into failures, and checks the body of a stream before the library sees it.

import { Buffer } from "node:buffer";
import { isObject, parseJson } from "../../base/json.ts";
import type { ModelFailure } from "../model.ts";
import { connectTo, type Destination } from "./connect.ts";
import { type Asked, brokenStream, ModelError, parseRetryAfter, replyFailure } from "./failure.ts";
import { checkedLines, decodeErrorBody } from "./lines.ts";

export interface TransportOptions extends Destination {
  /** Named in messages. */
  readonly model: string;
  readonly signal: AbortSignal;
  /** The body is NDJSON that ends with `done`. */
  readonly streaming: boolean;
}

/** Of an answer that is one JSON document: a list of models with everything about each is far smaller. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;
const ERROR_BODY_BYTES = 65_536;
const ERROR_BODY_MS = 2_000;

/** A `fetch` for one request and its redirects. Fails with `ModelError`, or with the abort's reason. */
export function requestFetch(options: TransportOptions): typeof fetch {
  const configured: Asked = { host: options.host.url, model: options.model };
  const call = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const signal = AbortSignal.any([options.signal, ...(init.signal ? [init.signal] : [])]);
    const url = new URL(input instanceof Request ? input.url : input);
    const sending = { ...options, asked: configured, init: { ...init, signal } };
    const { response, asked } = await connectTo(url, sending);
    if (!response.ok) throw new ModelError(await errorReply(response, asked));
    if (response.body === null) return response;
    return new Response(
      options.streaming ? checkedLines(response.body, asked) : boundedBody(response.body, asked),
    );
  };
  // The type of `fetch` has members beside the call (`preconnect`) that nobody uses here.
  return Object.assign(call, { preconnect: () => {} });
}

/** A body that is read whole, as far as the answer to a question can be long. */
function boundedBody(body: ReadableStream<Uint8Array>, asked: Asked): ReadableStream<Uint8Array> {
  let size = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        size += part.length;
        if (size > MOST_BODY_BYTES) throw new ModelError(brokenStream(`it has no end (${asked.host})`));
        controller.enqueue(part);
      },
    }),
  );
}

async function errorReply(response: Response, asked: Asked): Promise<ModelFailure> {
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), Date.now());
  const text = await readSome(response);
  const body = parseJson(text);
  const { status } = response;
  if (!isObject(body) || body["error"] === undefined)
    return replyFailure({ status, text, retryAfterMs }, asked);
  return replyFailure({ ...decodeErrorBody(body, status, retryAfterMs), status }, asked);
}

/** The beginning of a body, as far as it comes soon: the status alone is enough for a decision. */
async function readSome(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const parts: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), ERROR_BODY_MS);
  try {
    while (size < ERROR_BODY_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
    }
    await reader.cancel();
  } catch {
    // A body that breaks off adds nothing to the status.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(parts).toString("utf8");
}
