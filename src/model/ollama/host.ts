// Which server is meant: `OLLAMA_HOST` in every form that the official command line accepts.

import { Buffer } from "node:buffer";
import { AppError, type ErrorKind } from "../../base/errors.ts";

export interface OllamaHost {
  /** Base of every request, without a slash at the end: `http://127.0.0.1:11434`, `https://h:443/ollama`. */
  readonly url: string;
  /** This machine; never reached through a proxy. */
  readonly loopback: boolean;
  /** ollama.com itself. */
  readonly cloud: boolean;
  /** `Authorization` made of `user:password@` in the address. */
  readonly basicAuthorization?: string;
}

const DEFAULT_PORT = "11434";

/**
 * Reads a host. Empty text is this machine. A bad port is the default one, as in the official client. Throws `AppError`
 * of `kind` (`usage` for a flag, `settings` for the rest) if it names no HTTP address; `source` says where it stood.
 */
export function parseHost(text: string, source = "OLLAMA_HOST", kind: ErrorKind = "settings"): OllamaHost {
  const trimmed = text
    .trim()
    .replace(/^["']+|["']+$/g, "")
    .trim();
  const [scheme, rest] = splitScheme(trimmed);
  if (scheme !== "http" && scheme !== "https") throw badHost(text, source, kind);
  const explicit = trimmed.includes("://");
  const slash = rest.search(/[/?#]/);
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const path =
    slash < 0 || rest[slash] !== "/"
      ? ""
      : rest
          .slice(slash)
          .replace(/[?#].*$/s, "")
          .replace(/\/+$/, "");
  const at = authority.lastIndexOf("@");
  const { host, port } = splitPort(authority.slice(at + 1));
  const standard = explicit || trimmed === "ollama.com";
  const fallback = !standard ? DEFAULT_PORT : scheme === "https" ? "443" : "80";
  const name = clientName(host);
  const url = `${scheme}://${name}:${validPort(port) ?? fallback}${path}`;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || /\s/.test(url)) throw badHost(text, source, kind);
  return {
    url,
    loopback: isLoopback(parsed.hostname),
    cloud: parsed.hostname === "ollama.com",
    ...(at < 0 ? {} : { basicAuthorization: basicOf(authority.slice(0, at)) }),
  };
}

function splitScheme(text: string): readonly [scheme: string, rest: string] {
  const at = text.indexOf("://");
  if (at >= 0) return [text.slice(0, at).toLowerCase(), text.slice(at + 3)];
  return [text === "ollama.com" ? "https" : "http", text];
}

/** `host:port`, `host`, `:port`, `::1`, `[::1]`, `[::1]:port`. */
function splitPort(authority: string): { readonly host: string; readonly port: string | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(authority);
  if (bracketed !== null) return { host: bracketed[1] ?? "", port: bracketed[2] };
  const colon = authority.indexOf(":");
  if (colon < 0 || colon !== authority.lastIndexOf(":")) return { host: authority, port: undefined };
  return { host: authority.slice(0, colon), port: authority.slice(colon + 1) };
}

function validPort(port: string | undefined): string | undefined {
  return port !== undefined && /^\d{1,5}$/.test(port) && Number(port) <= 65_535
    ? String(Number(port))
    : undefined;
}

/** An address to listen on everywhere is this machine to a client. */
function clientName(host: string): string {
  if (host === "" || host === "0.0.0.0") return "127.0.0.1";
  if (!host.includes(":")) return host;
  return host === "::" ? "[::1]" : `[${host}]`;
}

/** Whether a URL's host name is this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

function basicOf(userinfo: string): string {
  return `Basic ${Buffer.from(percentDecoded(userinfo)).toString("base64")}`;
}

/** A password with a bare `%` is meant as it stands. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function badHost(text: string, source: string, kind: ErrorKind): AppError {
  return new AppError(kind, `${source}: "${text}" is not the address of a server`, {
    hint: "Such as 127.0.0.1:11434, http://gpu-box:11434 or https://example.com/ollama.",
  });
}
