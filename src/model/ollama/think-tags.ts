// Splits `<think>…</think>` off the content of an answer: some models write it there, whatever they were asked. The
// outcome depends on the text alone, never on how it was cut into chunks.

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

/**
 * `before`: only white space so far. `opened`: white space after `<think>`. `inside`: thinking. `unopened`: text without
 * `<think>`, where a lone `</think>` at the end of a line may still come. `closed`: white space after a closing tag.
 * `text`: nothing to look for.
 */
type State = "before" | "opened" | "inside" | "unopened" | "closed" | "text";

/** `<think>` counts only as the first thing of an answer: later it is what the answer is about. */
export function thinkTags(): ThinkTags {
  let state: State = "before";
  let held = "";
  let seen = "";

  const step = (last: boolean): readonly TaggedPart[] => {
    switch (state) {
      case "before":
        return before(last);
      case "inside":
        return inside(last);
      case "unopened":
        return unopened(last);
      case "opened":
        return skipBlank("inside", last);
      case "closed":
        return skipBlank("text", last);
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
    if (start.startsWith(OPEN)) {
      held = start.slice(OPEN.length);
      state = "opened";
      return step(last);
    }
    if (!last && OPEN.startsWith(start)) return [];
    state = "unopened";
    return step(last);
  };
  const inside = (last: boolean): readonly TaggedPart[] => {
    const at = held.indexOf(CLOSE);
    if (at < 0) return release("thinking", last ? held.length : held.length - openEnd(held));
    const parts = release("thinking", at);
    held = held.slice(CLOSE.length);
    state = "closed";
    return [...parts, ...step(last)];
  };
  const unopened = (last: boolean): readonly TaggedPart[] => {
    const at = held.indexOf(CLOSE);
    if (at < 0) return passSeen(last ? held.length : held.length - openEnd(held));
    const after = held.slice(at + CLOSE.length);
    if (!last && (after === "" || after === "\r")) return passSeen(at);
    const text = seen + held.slice(0, at);
    if (!/^\r?(\n|$)/.test(after) || text.endsWith("`") || isInsideFence(text)) {
      const parts = passSeen(at + CLOSE.length);
      return [...parts, ...step(last)];
    }
    const parts = passSeen(at);
    held = after;
    state = "closed";
    return [...parts, { kind: "wasThinking" }, ...step(last)];
  };
  const passSeen = (length: number): readonly TaggedPart[] => {
    seen += held.slice(0, length);
    return release("text", length);
  };
  const skipBlank = (next: State, last: boolean): readonly TaggedPart[] => {
    held = held.trimStart();
    if (held === "") return [];
    state = next;
    return step(last);
  };
  return {
    push(content) {
      held += content;
      return step(false);
    },
    end: () => step(true),
    off() {
      state = "text";
      return step(true);
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

function isInsideFence(text: string): boolean {
  return (text.match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1;
}
