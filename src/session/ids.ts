// Ids: UUIDv7 for sessions, 8 hex characters for entries; derived ones are the same at every reading.

import { randomBytes } from "node:crypto";

const HEX = "0123456789abcdef";

/** A new UUIDv7 (RFC 9562): 48 bits of Unix time in ms, then random bits, so that ids sort by time. */
export function newSessionId(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return uuidOf(bytes);
}

/** A new entry id that `taken` does not know. */
export function newEntryId(taken: (id: string) => boolean): string {
  for (;;) {
    const id = randomBytes(4).toString("hex");
    if (!taken(id)) return id;
  }
}

/**
 * The id of an entry whose file gives it none: a hash of line number and content, hashed on while `taken` knows it. The
 * same file read again gives the same ids.
 */
export function derivedEntryId(
  line: number,
  content: Uint8Array | string,
  taken: (id: string) => boolean,
): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  let hash = fnv1a(bytes, line);
  let id = hex32(hash);
  while (taken(id)) {
    hash = fnv1a(new TextEncoder().encode(id), hash);
    id = hex32(hash);
  }
  return id;
}

/** The id of a session whose file gives it none: a UUID (version 8) made from the content's hash. */
export function derivedSessionId(content: Uint8Array): string {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < 4; word++) view.setUint32(word * 4, fnv1a(content, word + 1));
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return uuidOf(bytes);
}

/** FNV-1a, 32 bits, with a final mix so that short inputs differ in all bits. */
function fnv1a(bytes: Uint8Array, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  hash = Math.imul(hash, 0x01000193);
  for (let index = 0; index < bytes.length; index++) {
    hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash >>> 0;
}

function hex32(value: number): string {
  return value.toString(16).padStart(8, "0");
}

function uuidOf(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += HEX.charAt(byte >> 4) + HEX.charAt(byte & 15);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
