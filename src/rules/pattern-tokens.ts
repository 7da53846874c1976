// The pieces of a regular expression as people write it in any dialect: forms that ECMAScript does not know are pieces
// of their own, so that they can be named (dialects.ts).

/** A piece of a pattern: an escape, the beginning of a group, a quantifier, a bracket, or one character. */
export interface PatternToken {
  readonly text: string;
  readonly inClass: boolean;
}

// What has a name or a text in it ends soon, or the beginning is a piece of its own: time stays linear.
const ESCAPE = String.raw`\\(?:[pPxu]\{[^}]{0,60}\}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[1-9]\d*|[^])`;
const POSIX = String.raw`\[:\^?[a-z]+:\]`;
const GROUP = String.raw`\(\?(?:P?<(?![=!])[^>)]{0,60}>|P[=>]\w{0,60}\)|'\w{1,60}'|#[^)]{0,500}\)|[a-zA-Z^-]{1,60}[:)]|[&+-]?\w{1,60}\)|[^])|\(\*[A-Z]+`;
const QUANTIFIER = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})[+?]?|\{,\d+\}`;
const OUTSIDE = new RegExp(`${ESCAPE}|${POSIX}|${GROUP}|${QUANTIFIER}|\\[\\]|\\[\\^?|[^]`, "y");
const INSIDE = new RegExp(`${ESCAPE}|${POSIX}|&&\\[|[^]`, "y");

/** The pieces of a pattern in order; joined they are the pattern. Never throws: what is no pattern has pieces too. */
export function tokensOf(source: string): readonly PatternToken[] {
  const tokens: PatternToken[] = [];
  let inClass = false;
  for (let at = 0; at < source.length; ) {
    const next: RegExp = inClass ? INSIDE : OUTSIDE;
    next.lastIndex = at;
    const text: string = next.exec(source)?.[0] ?? source.charAt(at);
    tokens.push({ text, inClass });
    at += Math.max(text.length, 1);
    if (inClass) inClass = text !== "]";
    else inClass = text === "[" || text === "[^";
  }
  return tokens;
}
