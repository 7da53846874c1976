// One request to the server and where it redirects to. Loopback is kept off proxies, nothing times out, the key goes to
// the configured host only, and a redirect that would change the method is refused.

import { oneLine } from "../../base/text.ts";
import { type Asked, connectionFailure, isSilence, ModelError } from "./failure.ts";
import { isLoopback, type OllamaHost } from "./host.ts";

/** What a request needs beyond the standard's `RequestInit`: Bun's own switches, which other runtimes ignore. */
interface RuntimeInit extends RequestInit {
  /** `false` lifts the limit of 360 s without a byte. */
  readonly timeout: false;
  /** `false` goes past `HTTP_PROXY`. */
  readonly proxy?: false;
}

const MOST_REDIRECTS = 5;

/** The configured server and the key for it. */
export interface Destination {
  readonly host: OllamaHost;
  /** Sent as a bearer token. */
  readonly apiKey: string | undefined;
}

export interface Sending extends Destination {
  readonly asked: Asked;
  readonly init: RequestInit;
}

/** A response and who gave it: what is wrong with it is to be looked for there. */
export interface Reached {
  readonly response: Response;
  readonly asked: Asked;
}

/** The response to a request, after its redirects. Rejects with `ModelError`, or with the abort's reason. */
export async function connectTo(first: URL, sending: Sending): Promise<Reached> {
  let url = first;
  let { asked } = sending;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const response = await reach(url, { ...sending, asked });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) return { response, asked };
    const target = redirectTarget(location, url, sending);
    await response.body?.cancel();
    const keepsMethod = response.status === 307 || response.status === 308 || sending.init.method !== "POST";
    if (!keepsMethod)
      throw redirected(sending, shownAddress(target), "which would turn the request into another one");
    if (target.origin !== first.origin) asked = redirectedFrom(sending.asked, target);
    url = target;
  }
  throw redirected(sending, shownAddress(url), "and on and on");
}

/** Whoever reads of the other server has named this one only. */
function redirectedFrom(asked: Asked, { origin }: URL): Asked {
  return { ...asked, host: `${origin} (where ${asked.host} redirects to)` };
}

/**
 * Whether an HTTP server is there, whatever it says: refusals, redirects and certificates that nobody trusts are answers
 * too. Rejects with the abort's reason.
 */
export async function answersAt(url: URL, sending: Sending): Promise<boolean> {
  try {
    const response = await reach(url, sending);
    await response.body?.cancel();
    return true;
  } catch (error) {
    if (error instanceof ModelError) return !isSilence(error.failure);
    throw error;
  }
}

/** Another server's address: `fetch` would also read a file of this machine, or what the address itself holds. */
function redirectTarget(location: string, from: URL, sending: Sending): URL {
  const target = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (target?.protocol === "http:" || target?.protocol === "https:") return target;
  throw redirected(sending, oneLine(location, 100), "which is no address of a server");
}

const shownAddress = ({ origin, pathname }: URL) => `${origin}${pathname}`;

function redirected(sending: Sending, target: string, why: string): ModelError {
  return new ModelError({
    kind: "failed",
    message: `${sending.asked.host} redirects to ${target}, ${why}`,
    hint: "Set --host or OLLAMA_HOST to the address that the server is really at.",
    retryable: false,
  });
}

/** One request to one address; `localhost` may be either family, so both are tried. */
async function reach(url: URL, sending: Sending): Promise<Response> {
  const addresses = addressesOf(url);
  for (const [index, address] of addresses.entries()) {
    try {
      return await send(address, sending);
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

/** Loopback goes past every proxy: by Bun's switch, or in Deno by another client, which nobody else pays for. */
async function send(address: URL, sending: Sending): Promise<Response> {
  const headers = headersFor(address, sending);
  const init: RuntimeInit = { ...sending.init, headers, redirect: "manual", timeout: false };
  if (!isLoopback(address.hostname)) return await fetch(address, init);
  if (!navigator.userAgent.startsWith("Deno/")) return await fetch(address, { ...init, proxy: false });
  const { directFetch } = await import("./direct-fetch.ts");
  const { method, body, signal } = sending.init;
  return await directFetch(address, {
    headers,
    ...(method === undefined ? {} : { method }),
    ...(typeof body === "string" ? { body } : {}),
    ...(signal ? { signal } : {}),
  });
}

/** The key is for the configured server, not for where that may redirect to. */
function headersFor(address: URL, { host, apiKey, init }: Sending): Headers {
  const headers = new Headers(init.headers);
  headers.delete("authorization");
  const authorization = apiKey === undefined ? host.basicAuthorization : `Bearer ${apiKey}`;
  if (authorization !== undefined && isSameServer(address, new URL(host.url))) {
    headers.set("authorization", authorization);
  }
  return headers;
}

/** `localhost` was turned into an address of its own. */
function isSameServer(address: URL, host: URL): boolean {
  const local = host.hostname === "localhost" && isLoopback(address.hostname);
  return (
    address.protocol === host.protocol &&
    address.port === host.port &&
    (local || address.hostname === host.hostname)
  );
}
