// Gemini CLI: one JSON document, or lines: facts first, then messages, `$set` patches and rewinds. A message that comes
// again under its id replaces the one before; so the last few are held back until nothing can change them any more.

import { arrayAt, isObject, type JsonObject, stringAt } from "../../base/json.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import { completeLate, type GeminiState, placeMessage } from "./gemini-message.ts";
import { createOrdinals } from "./ordinals.ts";
import type { ConversionOutput, Place } from "./output.ts";
import { createTurn } from "./turn.ts";
import type { SourceValue } from "./values.ts";

export const geminiFormat: ForeignFormat = {
  name: "gemini",
  documentMember: "messages",
  recognise,
  converter,
};

function recognise(object: JsonObject): boolean {
  if (isObject(object["$set"])) return true;
  if ("sessionId" in object && !("type" in object)) {
    return "projectHash" in object || "startTime" in object || Array.isArray(object["messages"]);
  }
  return stringAt(object, "type") === "gemini" && "id" in object;
}

/** How many messages, and how many characters of them, wait for a later version of themselves. */
const MAX_WAITING = 64;
const MAX_WAITING_CHARS = 16_777_216;

interface Waiting {
  readonly id: string;
  source: SourceValue;
}

interface State extends GeminiState {
  readonly waiting: Waiting[];
  waitingChars: number;
}

function converter(output: ConversionOutput): Converter {
  const ordinals = createOrdinals();
  const turn = createTurn(output, (id) => ordinals.placed(state.ordinal, id));
  const state: State = { output, turn, ordinals, ordinal: 0, waiting: [], waitingChars: 0 };
  return {
    push: (source) => push(state, source),
    end: () => {
      release(state, 0);
      turn.end();
    },
  };
}

function push(state: State, source: SourceValue): void {
  const { value } = source;
  const patch = value["$set"];
  if (isObject(patch)) {
    pushPatch(state, patch, source);
  } else if (typeof value["$rewindTo"] === "string") {
    pushRewind(state, value["$rewindTo"], source);
  } else if ("type" in value) {
    hold(state, source);
  } else if ("sessionId" in value || "messages" in value) {
    pushFacts(state, value, source);
    pushMessages(state, value, source);
  } else {
    state.output.count("object without a type", "no place");
  }
}

function pushFacts(state: State, facts: JsonObject, source: SourceValue): void {
  const place: Place = { source, timestamp: stringAt(facts, "startTime") };
  const [directory] = arrayAt(facts, "directories") ?? [];
  state.output.held();
  state.output.header(
    {
      id: stringAt(facts, "sessionId"),
      timestamp: stringAt(facts, "startTime"),
      // Most files tell none; the header need not wait for it.
      cwd: typeof directory === "string" ? directory : "startTime" in facts ? "" : undefined,
      title: stringAt(facts, "summary"),
    },
    place,
  );
}

function pushMessages(state: State, holder: JsonObject, source: SourceValue): void {
  for (const message of arrayAt(holder, "messages") ?? []) {
    if (!isObject(message)) state.output.count("message that is no object", "no place");
    else hold(state, { ...source, value: message, text: JSON.stringify(message) });
  }
}

/**
 * A patch of the facts; one of `lastUpdated` alone says nothing. Its messages are what the model is sent from here on, at a
 * start and after a compression: those that the file has told already stay where they are.
 */
function pushPatch(state: State, patch: JsonObject, source: SourceValue): void {
  pushFacts(state, patch, source);
  state.output.count("$set", "bookkeeping");
  const list = arrayAt(patch, "messages") ?? [];
  const isKnown = (message: JsonObject) => {
    const id = stringAt(message, "id") ?? "";
    return state.ordinals.of(id) !== undefined || state.waiting.some((waiting) => waiting.id === id);
  };
  const fresh = list.filter((message) => !isObject(message) || !isKnown(message));
  for (let repeated = list.length - fresh.length; repeated > 0; repeated--) {
    state.output.count("$set: message told before", "repeats");
  }
  pushMessages(state, { messages: fresh }, source);
}

/** The message becomes the newest version of its id, at the place of the first. */
function hold(state: State, source: SourceValue): void {
  const id = stringAt(source.value, "id") ?? "";
  state.output.held();
  const earlier = id === "" ? undefined : state.waiting.find((waiting) => waiting.id === id);
  state.waitingChars += source.text.length - (earlier?.source.text.length ?? 0);
  if (earlier !== undefined) {
    earlier.source = { ...source, line: earlier.source.line };
    state.output.count("earlier version of a message", "repeats");
  } else if (id !== "" && state.ordinals.of(id) !== undefined) {
    state.waitingChars -= source.text.length;
    completeLate(state, source);
  } else {
    state.waiting.push({ id, source });
  }
  release(state, MAX_WAITING);
}

/** Places the oldest messages until no more than `keep` wait. */
function release(state: State, keep: number): void {
  while (state.waiting.length > keep || state.waitingChars > MAX_WAITING_CHARS) {
    const oldest = state.waiting.shift();
    if (oldest === undefined) return;
    state.waitingChars -= oldest.source.text.length;
    state.ordinal = state.ordinals.next(oldest.id === "" ? undefined : oldest.id);
    placeMessage(state, oldest.source);
  }
}

/** The session goes back to before a message: what follows is a branch. */
function pushRewind(state: State, id: string, source: SourceValue): void {
  release(state, 0);
  state.turn.end();
  const at = state.ordinals.of(id);
  if (at === undefined) {
    state.output.problem("bad-value", "a rewind names a message that is not in the file", { source });
    state.output.count("$rewindTo", "no place");
    return;
  }
  state.output.held();
  state.output.rewindTo(state.ordinals.entryAt(at - 1));
}
