// The `fetch` that the client library is given: one for each request. It joins the library's abort signal with ours,
// keeps loopback off proxies, sets no timeout, sends the key to the configured host only, refuses redirects that change
// the method, turns HTTP errors into failures, and checks the body.

import { Buffer } from "node:buffer";
import { isObject, parseJson } from "../../base/json.ts";
import type { ModelFailure } from "../model.ts";
import { type Asked, connectionFailure, ModelError, parseRetryAfter, replyFailure } from "./failure.ts";
import type { OllamaHost } from "./host.ts";
import { checkedLines, decodeErrorBody } from "./lines.ts";

export interface TransportOptions {
  readonly host: OllamaHost;
  /** Sent as a bearer token. */
  readonly apiKey: string | undefined;
  /** Named in messages. */
  readonly model: string;
  readonly signal: AbortSignal;
}

/** What a request needs beyond the standard's `RequestInit`: Bun's own switches, which other runtimes ignore. */
interface RuntimeInit extends RequestInit {
  /** `false` lifts the limit of 360 s without a byte. */
  readonly timeout: false;
  /** `false` goes past `HTTP_PROXY`. */
  readonly proxy?: false;
}

const MOST_REDIRECTS = 5;
const ERROR_BODY_BYTES = 65_536;

/** A `fetch` for one request and its redirects. Fails with `ModelError`, or with the abort's reason. */
export function requestFetch(options: TransportOptions): typeof fetch {
  const asked: Asked = { host: options.host.url, model: options.model };
  const send = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const done = new AbortController();
    const signals = [options.signal, done.signal, ...(init.signal ? [init.signal] : [])];
    const signal = AbortSignal.any(signals);
    const response = await follow(new URL(input instanceof Request ? input.url : input), {
      ...options,
      asked,
      init: { ...init, signal },
    });
    if (!response.ok) throw new ModelError(await errorReply(response, asked));
    if (init.method !== "POST" || response.body === null || !isStreamed(init)) return response;
    return new Response(
      checkedLines(response.body, asked, () => done.abort()),
      {
        headers: { "content-type": "application/x-ndjson" },
      },
    );
  };
  // The type of `fetch` has members beside the call (`preconnect`) that nobody uses here.
  return Object.assign(send, { preconnect: () => {} });
}

function isStreamed(init: RequestInit): boolean {
  const body = typeof init.body === "string" ? parseJson(init.body) : undefined;
  return isObject(body) && body["stream"] === true;
}

interface Sending extends TransportOptions {
  readonly asked: Asked;
  readonly init: RequestInit;
}

async function follow(first: URL, sending: Sending): Promise<Response> {
  let url = first;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const response = await connect(url, sending);
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) return response;
    const target = new URL(location, url);
    await response.body?.cancel();
    const keepsMethod = response.status === 307 || response.status === 308 || sending.init.method !== "POST";
    if (!keepsMethod) throw redirected(sending, target, "which would turn the request into another one");
    url = target;
  }
  throw redirected(sending, url, "and on and on");
}

function redirected(sending: Sending, target: URL, why: string): ModelError {
  return new ModelError({
    kind: "failed",
    message: `${sending.asked.host} redirects to ${target.origin}${target.pathname}, ${why}`,
    hint: "Set --host or OLLAMA_HOST to the address that the server is really at.",
    retryable: false,
  });
}

/** One request to one address; `localhost` may be either family, so both are tried. */
async function connect(url: URL, sending: Sending): Promise<Response> {
  const addresses = addressesOf(url);
  for (const [index, address] of addresses.entries()) {
    try {
      return await fetch(address, runtimeInit(url, sending));
    } catch (error) {
      if (sending.init.signal?.aborted) throw error;
      const failure = connectionFailure(error, sending.asked);
      const another = index < addresses.length - 1 && failure.message.endsWith("refused");
      if (!another) throw new ModelError(failure);
    }
  }
  throw new Error("a host has at least one address");
}

function addressesOf(url: URL): readonly URL[] {
  if (url.hostname !== "localhost" || url.protocol !== "http:") return [url];
  return ["127.0.0.1", "[::1]"].map((hostname) => {
    const address = new URL(url);
    address.hostname = hostname;
    return address;
  });
}

function runtimeInit(url: URL, { host, apiKey, init }: Sending): RuntimeInit {
  const headers = new Headers(init.headers);
  headers.delete("authorization");
  // The key is for the configured server, not for where it may redirect to.
  if (url.origin === new URL(host.url).origin) {
    const authorization = apiKey === undefined ? host.basicAuthorization : `Bearer ${apiKey}`;
    if (authorization !== undefined) headers.set("authorization", authorization);
  }
  const loopback = host.loopback ? { proxy: false as const } : {};
  return { ...init, headers, redirect: "manual", timeout: false, ...loopback };
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

async function readSome(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    while (size < ERROR_BODY_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
    }
    await reader.cancel();
  } catch {
    // The status is known; a body that breaks off adds nothing to it.
  }
  return Buffer.concat(parts).toString("utf8");
}
