// Tool calls that a model wrote as text: the whole content is their JSON, bare or in a fence, or they stand in
// `<tool_call>` tags. Text that may become a call is held back until that is decided; whatever is no call of an offered
// tool stays text, to the byte.

import { isObject, type JsonObject, objectAt, parseJson, stringAt } from "../../base/json.ts";
import { createStates } from "./states.ts";
import { advance, isBlankLine, TEXT_START, type TextPlace } from "./text-place.ts";

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
/** White space before a call. What goes on longer is an answer of white space. */
const MOST_BLANK = 1_000;
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
  const states = createStates<State, TextPart>(offered.size === 0 ? "off" : "start");
  const { enter } = states;
  let held = "";
  /** Of the text in front of `held`. */
  let place = TEXT_START;

  const release = (length: number): readonly TextPart[] => {
    const text = held.slice(0, length);
    held = held.slice(length);
    place = advance(place, text);
    return text === "" ? [] : [{ kind: "text", text }];
  };
  const start = (last: boolean): readonly TextPart[] => {
    const trimmed = held.trimStart();
    const inTime = held.length - trimmed.length < MOST_BLANK;
    const text = trimmed.slice(0, DECIDING_LENGTH);
    const undecided = inTime && text.length < DECIDING_LENGTH && /^([`[{]|$)/.test(text);
    const isCall = inTime && CALL_START.test(text);
    if (undecided && !isCall && !last) return [];
    return enter(isCall ? "json" : "text");
  };
  const json = (last: boolean): readonly TextPart[] => {
    const fits = held.length <= MOST_HELD;
    if (!last && fits) return [];
    const calls = fits ? parseCalls(stripFence(held), offered) : undefined;
    return calls === undefined ? enter("text") : take(calls, "");
  };
  const text = (last: boolean): readonly TextPart[] => {
    const at = openTagAt(place, held);
    if (at === undefined) return release(last ? held.length : held.length - openTagBegun(place, held));
    return enter("tag", release(at));
  };
  const tag = (last: boolean): readonly TextPart[] => {
    const close = held.indexOf(CLOSE);
    if (close < 0 && !last && held.length <= MOST_HELD) return [];
    const end = close < 0 ? held.length : close;
    // A tag that is left open for so long means nothing, nor do those after it.
    if (end > MOST_HELD) return enter("off");
    const calls = parseCalls(held.slice(OPEN.length, end), offered);
    // Past the opening tag, so that it is not found again.
    if (calls === undefined) return enter("text", release(OPEN.length));
    return enter("closed", take(calls, held.slice(end + CLOSE.length)));
  };
  const take = (calls: readonly TextCall[], rest: string): readonly TextPart[] => {
    held = rest;
    place = advance(place, "\n");
    return calls.map((call) => ({ kind: "call", call }));
  };
  const step = (last: boolean): readonly TextPart[] => {
    switch (states.state) {
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
        return held === "" ? [] : enter("text");
      case "off":
        return release(held.length);
    }
  };
  return {
    push(more) {
      held += more;
      return states.settle(() => step(false));
    },
    end: () => states.settle(() => step(true)),
    off() {
      enter("off");
      return states.settle(() => step(true));
    },
  };
}

/** Where in `held` a line begins with the opening tag, outside code fences; `place` is where `held` begins. */
function openTagAt(place: TextPlace, held: string): number | undefined {
  let from = 0;
  let here = place;
  for (let at = held.indexOf(OPEN); at >= 0; at = held.indexOf(OPEN, at + 1)) {
    here = advance(here, held.slice(from, at));
    from = at;
    if (isBlankLine(here) && !here.insideFence) return at;
  }
  return undefined;
}

/** How many characters at the end of `held` may become an opening tag at the beginning of a line. */
function openTagBegun(place: TextPlace, held: string): number {
  const at = held.lastIndexOf("<");
  if (at < 0 || !OPEN.startsWith(held.slice(at))) return 0;
  return isBlankLine(advance(place, held.slice(0, at))) ? held.length - at : 0;
}

/** What is in the one fence that a text consists of; any other text as it is. */
function stripFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith("```") || !trimmed.endsWith("```")) return text;
  return trimmed.slice(3, -3).replace(/^\w*/, "");
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
