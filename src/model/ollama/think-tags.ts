// Splits `<think>…</think>` off the content of an answer: some models write it there, whatever they were asked. The
// outcome depends on the text alone, never on how it was cut into chunks.

import { createStates } from "./states.ts";
import { advance, TEXT_START } from "./text-place.ts";

/** `wasThinking`: a lone `</think>` came, so all text before it was thinking. */
export type TaggedPart =
  | { readonly kind: "text" | "thinking"; readonly text: string }
  | { readonly kind: "wasThinking" };

export interface ThinkTags {
  push(content: string): readonly TaggedPart[];
  /** What was held back. */
  end(): readonly TaggedPart[];
  /** The server does the splitting itself: from here on all content is text. */
  off(): readonly TaggedPart[];
}

const OPEN = "<think>";
const CLOSE = "</think>";
/** White space before a tag. What goes on longer is an answer of white space. */
const MOST_BLANK = 1_000;

/**
 * `before`: only white space so far. `opened`: white space after `<think>`. `inside`: thinking. `unopened`: text without
 * `<think>`, where a lone `</think>` at the end of a line may still come. `closed`: white space after a closing tag.
 * `text`: nothing to look for.
 */
type State = "before" | "opened" | "inside" | "unopened" | "closed" | "text";

/** `<think>` counts only as the first thing of an answer: later it is what the answer is about. */
export function thinkTags(): ThinkTags {
  const states = createStates<State, TaggedPart>("before");
  const { enter } = states;
  let held = "";
  /** Of the text in front of `held`, and its last character. */
  let place = TEXT_START;
  let lastSeen = "";

  const step = (last: boolean): readonly TaggedPart[] => {
    switch (states.state) {
      case "before":
        return before(last);
      case "inside":
        return inside(last);
      case "unopened":
        return unopened(last);
      case "opened":
        return skipBlank("inside");
      case "closed":
        return skipBlank("text");
      case "text":
        return release("text", held.length);
    }
  };
  const release = (kind: "text" | "thinking", length: number): readonly TaggedPart[] => {
    const text = held.slice(0, length);
    held = held.slice(length);
    return text === "" ? [] : [{ kind, text }];
  };
  const before = (last: boolean): readonly TaggedPart[] => {
    const start = held.trimStart();
    const inTime = held.length - start.length < MOST_BLANK;
    if (inTime && start.startsWith(OPEN)) {
      held = start.slice(OPEN.length);
      return enter("opened");
    }
    return !last && inTime && OPEN.startsWith(start) ? [] : enter("unopened");
  };
  const inside = (last: boolean): readonly TaggedPart[] => {
    const at = held.indexOf(CLOSE);
    if (at < 0) return release("thinking", last ? held.length : held.length - openEnd(held));
    const parts = release("thinking", at);
    held = held.slice(CLOSE.length);
    return enter("closed", parts);
  };
  const unopened = (last: boolean): readonly TaggedPart[] => {
    const at = held.indexOf(CLOSE);
    if (at < 0) return passSeen(last ? held.length : held.length - openEnd(held));
    const after = held.slice(at + CLOSE.length);
    if (!last && (after === "" || after === "\r")) return passSeen(at);
    const parts = passSeen(at);
    if (!/^\r?(\n|$)/.test(after) || lastSeen === "`" || place.insideFence)
      return enter("unopened", [...parts, ...passSeen(CLOSE.length)]);
    held = after;
    return enter("closed", [...parts, { kind: "wasThinking" }]);
  };
  const passSeen = (length: number): readonly TaggedPart[] => {
    const text = held.slice(0, length);
    place = advance(place, text);
    lastSeen = text.at(-1) ?? lastSeen;
    return release("text", length);
  };
  const skipBlank = (next: State): readonly TaggedPart[] => {
    held = held.trimStart();
    return held === "" ? [] : enter(next);
  };
  return {
    push(content) {
      held += content;
      return states.settle(() => step(false));
    },
    end: () => states.settle(() => step(true)),
    off() {
      enter("text");
      return states.settle(() => step(true));
    },
  };
}

/** How many characters at the end may be the beginning of a closing tag. */
function openEnd(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}
