// `fetch` over Node's HTTP client, for a runtime whose own sends even 127.0.0.1 through `HTTP_PROXY` and has no switch
// for one request (Deno). It goes straight to the address, has no timeout, and follows no redirect.

import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";

/** What this `fetch` understands of a request. */
export interface DirectRequest {
  readonly method?: string;
  readonly headers: Headers;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends one request. Rejects with the connection's error, or with the abort's reason. */
export function directFetch(url: URL, init: DirectRequest): Promise<Response> {
  const { signal } = init;
  const open = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = open(url.href, {
      method: init.method ?? "GET",
      headers: { ...Object.fromEntries(init.headers), connection: "close" },
    });
    const abort = () => {
      request.destroy();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    request.on("error", reject);
    request.on("response", (message) => {
      message.on("close", () => signal?.removeEventListener("abort", abort));
      const status = message.statusCode ?? 0;
      const headers = Object.entries(message.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      );
      const body = Readable.toWeb(message);
      resolve(new Response(isBodyless(status) ? null : toBytes(body), { status, headers }));
    });
    request.end(init.body);
  });
}

function isBodyless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** The types of Node's streams and of the standard's differ in name only; what is read is checked to be bytes. */
function toBytes(body: ReturnType<typeof Readable.toWeb>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else if (value instanceof Uint8Array) controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
