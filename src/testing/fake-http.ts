// A small HTTP/1.1 server over plain sockets, for tests: it decides on every byte and every close, and knows when the
// client went away, which a server made for serving hides. Runs under Bun and Deno.

import { Buffer } from "node:buffer";
import { createServer, type Server, type Socket } from "node:net";

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One connection's side of an answer. Writes to a client that went away are dropped. */
export interface HttpReply {
  /** Resolves when the client closes or resets the connection before the server does. */
  readonly clientGone: Promise<void>;
  isClientGone(): boolean;
  /** Status line and headers. `Connection: close` and chunked coding, unless `headers` say otherwise. */
  head(status: number, headers?: Readonly<Record<string, string>>): void;
  /** One chunk of the chunked coding, one write. */
  chunk(bytes: Uint8Array): void;
  /** Bytes as they are. */
  raw(bytes: Uint8Array | string): void;
  /** The last chunk, and the end of the connection. */
  end(): void;
  /** The end of the connection without the last chunk: the client sees a body that is cut. */
  cut(): void;
  /** A connection reset. */
  reset(): void;
}

export interface HttpServer extends AsyncDisposable {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on a free port of `host` (default 127.0.0.1). `handle` gets each request once its body is complete. */
export async function listenHttp(
  handle: (request: HttpRequest, reply: HttpReply) => Promise<void> | void,
  host = "127.0.0.1",
): Promise<HttpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket, handle);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  const close = () => closeServer(server, sockets);
  return { port: portOf(server), close, [Symbol.asyncDispose]: close };
}

function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

/** One request a connection: every answer closes it, so no connection is used twice. */
function serve(
  socket: Socket,
  handle: (request: HttpRequest, reply: HttpReply) => Promise<void> | void,
): void {
  let received = Buffer.alloc(0);
  let handled = false;
  const reply = replyOn(socket);
  socket.on("error", () => {});
  socket.on("data", (data) => {
    if (handled) return;
    received = Buffer.concat([received, Buffer.from(data)]);
    const request = decodeRequest(received);
    if (request === undefined) return;
    handled = true;
    void Promise.resolve(handle(request, reply)).catch((error: unknown) => {
      reply.reset();
      throw error;
    });
  });
}

function replyOn(socket: Socket): HttpReply {
  let gone = false;
  let ended = false;
  const clientGone = new Promise<void>((resolve) => {
    const leave = () => {
      if (ended || gone) return;
      gone = true;
      socket.destroy();
      resolve();
    };
    socket.on("end", leave);
    socket.on("error", leave);
    socket.on("close", leave);
  });
  const write = (bytes: Uint8Array | string) => {
    if (!gone && !ended) socket.write(bytes);
  };
  const finish = (close: () => void) => {
    if (gone || ended) return;
    ended = true;
    close();
  };
  return {
    clientGone,
    isClientGone: () => gone,
    head: (status, headers = {}) => write(renderHead(status, headers)),
    chunk: (bytes) => {
      if (bytes.length === 0) return;
      write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]));
    },
    raw: write,
    end: () => {
      write("0\r\n\r\n");
      finish(() => socket.end());
    },
    cut: () => finish(() => socket.end()),
    reset: () => finish(() => socket.resetAndDestroy()),
  };
}

function renderHead(status: number, headers: Readonly<Record<string, string>>): string {
  const all: Record<string, string> = { connection: "close", ...headers };
  if (all["content-length"] === undefined) all["transfer-encoding"] = "chunked";
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n`;
}

/** The request, once all of it is there. Clients send a body with its length. */
function decodeRequest(received: Buffer): HttpRequest | undefined {
  const split = received.indexOf("\r\n\r\n");
  if (split < 0) return undefined;
  const [first = "", ...lines] = received.subarray(0, split).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers["content-length"] ?? "0");
  const body = received.subarray(split + 4);
  if (body.length < length) return undefined;
  const [method = "", target = ""] = first.split(" ");
  // A client that takes this server for a proxy names the whole address.
  const path = target.startsWith("/") || !URL.canParse(target) ? target : new URL(target).pathname;
  return { method, path, headers, body: body.subarray(0, length).toString("utf8") };
}
