// Tool calls that a model wrote as text: the whole content is their JSON, bare or in a fence, or they stand in
// `<tool_call>` tags. Text that may become a call is held back until that is decided; whatever is no call of an offered
// tool stays text, to the byte.

import { isObject, type JsonObject, objectAt, parseJson, stringAt } from "../../base/json.ts";

export interface TextCall {
  readonly name: string;
  /** As written: an object or a JSON string of one. */
  readonly arguments: unknown;
}

export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: TextCall };

export interface TextCalls {
  push(text: string): readonly TextPart[];
  end(): readonly TextPart[];
  /** The server gave a call itself: from here on all is text. */
  off(): readonly TextPart[];
}

const OPEN = "<tool_call>";
const CLOSE = "</tool_call>";
/** No call is that long; text that is, is a document. */
const MOST_HELD = 65_536;
/** Enough to see the first key of an object, its fence included. */
const DECIDING_LENGTH = 60;
/** What a call's JSON begins with. */
const CALL_START = /^(```\w*\s*)?\[?\s*\{\s*"(name|function|arguments|parameters|type|id)"\s*:/;

/**
 * `start`: only white space so far, or a beginning that may be a call's JSON. `json`: it is; held to the end. `text`:
 * plain text, watched for a line that opens a tag. `tag`: inside one. `closed`: white space after one. `off`: nothing to
 * look for.
 */
type State = "start" | "json" | "text" | "tag" | "closed" | "off";

/** `offered` are the names of the tools that the request offered; with none, everything is text. */
export function textCalls(offered: ReadonlySet<string>): TextCalls {
  let state: State = offered.size === 0 ? "off" : "start";
  let held = "";
  let released = "";

  const release = (length: number): readonly TextPart[] => {
    const text = held.slice(0, length);
    held = held.slice(length);
    released += text;
    return text === "" ? [] : [{ kind: "text", text }];
  };
  const start = (last: boolean): readonly TextPart[] => {
    const text = held.trimStart().slice(0, DECIDING_LENGTH);
    const undecided = text.length < DECIDING_LENGTH && /^([`[{]|$)/.test(text);
    const isCall = CALL_START.test(text);
    if (undecided && !isCall && !last) return [];
    state = isCall ? "json" : "text";
    return step(last);
  };
  const json = (last: boolean): readonly TextPart[] => {
    const fits = held.length <= MOST_HELD;
    if (!last && fits) return [];
    const calls = fits ? parseCalls(stripFence(held), offered) : undefined;
    if (calls !== undefined) return take(calls, "");
    state = "text";
    return step(last);
  };
  const text = (last: boolean): readonly TextPart[] => {
    const at = openTagAt(released, held);
    if (at === undefined) return release(last ? held.length : held.length - openTagBegun(released, held));
    const parts = release(at);
    state = "tag";
    return [...parts, ...step(last)];
  };
  const tag = (last: boolean): readonly TextPart[] => {
    const close = held.indexOf(CLOSE);
    if (close < 0 && !last && held.length <= MOST_HELD) return [];
    const end = close < 0 ? held.length : close;
    const calls = end <= MOST_HELD ? parseCalls(held.slice(OPEN.length, end), offered) : undefined;
    if (calls === undefined) {
      state = "text";
      // Past the opening tag, so that it is not found again.
      return [...release(OPEN.length), ...step(last)];
    }
    state = "closed";
    return [...take(calls, held.slice(end + CLOSE.length)), ...step(last)];
  };
  const take = (calls: readonly TextCall[], rest: string): readonly TextPart[] => {
    held = rest;
    released += "\n";
    return calls.map((call) => ({ kind: "call", call }));
  };
  const step = (last: boolean): readonly TextPart[] => {
    switch (state) {
      case "start":
        return start(last);
      case "json":
        return json(last);
      case "text":
        return text(last);
      case "tag":
        return tag(last);
      case "closed":
        held = held.trimStart();
        if (held === "") return [];
        state = "text";
        return step(last);
      case "off":
        return release(held.length);
    }
  };
  return {
    push(more) {
      held += more;
      return step(false);
    },
    end: () => step(true),
    off() {
      state = "off";
      return step(true);
    },
  };
}

/** Where in `held` a line begins with the opening tag, outside code fences; `before` is the text in front of it. */
function openTagAt(before: string, held: string): number | undefined {
  for (let at = held.indexOf(OPEN); at >= 0; at = held.indexOf(OPEN, at + 1)) {
    const text = before + held.slice(0, at);
    if (isBlankLine(text) && !isInsideFence(text)) return at;
  }
  return undefined;
}

/** How many characters at the end of `held` may become an opening tag at the beginning of a line. */
function openTagBegun(before: string, held: string): number {
  const at = held.lastIndexOf("<");
  if (at < 0 || !OPEN.startsWith(held.slice(at))) return 0;
  return isBlankLine(before + held.slice(0, at)) ? held.length - at : 0;
}

/** Whether the last line of a text is empty or blank. */
function isBlankLine(text: string): boolean {
  return text.slice(text.lastIndexOf("\n") + 1).trim() === "";
}

function isInsideFence(text: string): boolean {
  return (text.match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1;
}

function stripFence(text: string): string {
  const fenced = /^\s*```\w*\s*\n?([\s\S]*?)\n?\s*```\s*$/.exec(text);
  return fenced?.[1] ?? text;
}

/** The calls that a text consists of, all of offered tools; `undefined` if it is anything else. */
function parseCalls(text: string, offered: ReadonlySet<string>): readonly TextCall[] | undefined {
  const whole = parseJson(text);
  const values =
    whole === undefined
      ? text
          .split("\n")
          .filter((line) => line.trim() !== "")
          .map(parseJson)
      : Array.isArray(whole)
        ? whole
        : [whole];
  const calls = values.map((value) => decodeCall(value, offered));
  const known = calls.filter((call) => call !== undefined);
  return known.length > 0 && known.length === calls.length ? known : undefined;
}

function decodeCall(value: unknown, offered: ReadonlySet<string>): TextCall | undefined {
  if (!isObject(value)) return undefined;
  const body: JsonObject = objectAt(value, "function") ?? value;
  const name = stringAt(body, "name")?.trim();
  const given = body["arguments"] ?? body["parameters"];
  if (name === undefined || !offered.has(name) || given === undefined) return undefined;
  const parsed = typeof given === "string" ? parseJson(given) : given;
  return isObject(parsed) ? { name, arguments: parsed } : undefined;
}
