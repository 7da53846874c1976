// Bytes ⇄ text without loss: valid UTF-8 is decoded, and every byte that is not part of any becomes a lone surrogate
// (U+DC80 to U+DCFF), which is turned into that byte again. So a filter passes what it does not understand.

import { isHigh, isLow } from "./surrogates.ts";

export interface LosslessDecoder {
  /** The text of the bytes so far; the beginning of a character waits for its rest. */
  push(bytes: Uint8Array): string;
  /** What waited, as it is. */
  end(): string;
}

/** A decoder for one stream. A byte-order mark is text like any other. */
export function losslessDecoder(): LosslessDecoder {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let pending: Uint8Array = new Uint8Array(0);
  return {
    push(bytes) {
      const all = pending.length === 0 ? bytes : joined(pending, bytes);
      const whole = all.length - unfinishedLength(all);
      pending = all.slice(whole);
      return decode(all.subarray(0, whole), strict);
    },
    end() {
      const rest = decode(pending, strict);
      pending = new Uint8Array(0);
      return rest;
    },
  };
}

/** The bytes of such a text. A surrogate that stands for no byte and has no partner becomes U+FFFD, as in all encoders. */
export function losslessEncode(text: string): Uint8Array {
  const encoder = new TextEncoder();
  if (text.isWellFormed()) return encoder.encode(text);
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isHigh(code) && isLow(text.charCodeAt(index + 1))) index += 1;
    else if (code >= 0xdc80 && code <= 0xdcff) {
      parts.push(encoder.encode(text.slice(from, index)), Uint8Array.of(code - 0xdc00));
      from = index + 1;
    }
  }
  return joined(...parts, encoder.encode(text.slice(from)));
}

function decode(bytes: Uint8Array, strict: TextDecoder): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeBroken(bytes, strict);
  }
}

/** Character by character: those that are whole are decoded, any other byte stands for itself. */
function decodeBroken(bytes: Uint8Array, strict: TextDecoder): string {
  let text = "";
  for (let index = 0; index < bytes.length; ) {
    const length = sequenceLength(bytes[index] ?? 0);
    const character = wholeCharacter(bytes.subarray(index, index + length), strict);
    if (character === undefined) {
      text += String.fromCharCode(0xdc00 + (bytes[index] ?? 0));
      index += 1;
    } else {
      text += character;
      index += length;
    }
  }
  return text;
}

function wholeCharacter(bytes: Uint8Array, strict: TextDecoder): string | undefined {
  const first = bytes[0] ?? 0;
  if (first < 0x80) return String.fromCharCode(first);
  // Most of what is broken can be told so without the price of an exception.
  if (bytes.length < 2 || bytes.subarray(1).some((byte) => byte < 0x80 || byte >= 0xc0)) return undefined;
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Bytes of the character that this byte begins; 1 for a byte that begins none. */
function sequenceLength(first: number): number {
  if (first >= 0xf0 && first <= 0xf4) return 4;
  if (first >= 0xe0) return first < 0xf0 ? 3 : 1;
  return first >= 0xc2 ? 2 : 1;
}

/** How many bytes at the end are the beginning of a character whose rest has not come. */
function unfinishedLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0x80 && byte < 0xc0) continue;
    return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
