// Text of a model without halves of surrogate pairs, piece by piece: a pair that two pieces share is put together, any
// other half becomes U+FFFD. The outcome, all pieces joined, depends on the text alone, never on how it was cut.

import { isHigh, isLow } from "../base/surrogates.ts";

export interface WellFormer {
  /** What can be given of the text so far. */
  push(delta: string): string;
  /** What was held back; the next piece begins a new text. */
  end(): string;
}

/** For plain text. */
export function wellFormedText(): WellFormer {
  let half = "";
  return {
    push(delta) {
      const text = half + delta;
      half = isHigh(text.charCodeAt(text.length - 1)) ? text.slice(-1) : "";
      return text.slice(0, text.length - half.length).toWellFormed();
    },
    end() {
      const held = half.toWellFormed();
      half = "";
      return held;
    },
  };
}

/** Text without anything to look at, an escape, any other escape or a lone backslash, a half of a pair. */
const TOKEN =
  /[^\\\ud800-\udfff]+|\\u[0-9a-f]{4}|\\(?!u[0-9a-f]{0,3}$)[^\ud800-\udfff]|\\(?=[\ud800-\udfff])|[\ud800-\udfff]/giy;

/** For the text of a JSON value, where a half may also stand as an escape. */
export function wellFormedJson(): WellFormer {
  /** A half that may get its other one, as it was written. */
  let high = "";
  /** The beginning of an escape. */
  let begun = "";

  const take = (token: string): string => {
    const unit = unitOf(token);
    if (high !== "" && isLow(unit)) {
      const both = high.length === token.length ? high + token : String.fromCharCode(unitOf(high), unit);
      high = "";
      return both;
    }
    const before = replaced(high);
    high = isHigh(unit) ? token : "";
    if (high !== "") return before;
    return before + (isLow(unit) ? replaced(token) : token);
  };

  return {
    push(delta) {
      const text = begun + delta;
      begun = "";
      if (high === "" && !text.includes("\\") && text.isWellFormed()) return text;
      let given = "";
      let at = 0;
      for (const [token] of text.matchAll(TOKEN)) {
        given += take(token);
        at += token.length;
      }
      begun = text.slice(at);
      return given;
    },
    end() {
      const held = replaced(high) + begun;
      high = "";
      begun = "";
      return held;
    },
  };
}

/** The UTF-16 unit that a token stands for, where it may be a half; else 0. */
function unitOf(token: string): number {
  if (token.length === 1) return token.charCodeAt(0);
  return token.length === 6 && token.startsWith("\\u") ? Number.parseInt(token.slice(2), 16) : 0;
}

function replaced(half: string): string {
  if (half === "") return "";
  return half.length === 1 ? "\ufffd" : "\\ufffd";
}
