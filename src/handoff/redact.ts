// Secrets in a text become `[redacted:<kind>]`: known shapes of keys, and assignments to names that say "secret" of values
// that look random. Hashes, ids and paths stay: they are what a handoff is about.

import { SECRET_SHAPES } from "./redact-shapes.ts";

/** Puts marks in the place of secrets. */
export type Redact = (text: string) => string;

/** Changes nothing: `--no-redact`. */
export const keepSecrets: Redact = (text) => text;

/** Takes known secrets out of a text. A text without any is returned as it is. */
export const redactSecrets: Redact = (text) => {
  let clean = text;
  for (const { kind, pattern, mark } of SECRET_SHAPES) {
    if (!clean.includes(mark)) continue;
    clean = clean.replace(pattern, (whole: string, ...rest: unknown[]) => replaced(whole, kind, rest.at(-1)));
  }
  return MAY_ASSIGN.test(clean) ? clean.replace(ASSIGNMENT, assigned) : clean;
};

/** The whole match, or only its group `secret`. */
function replaced(whole: string, kind: string, groups: unknown): string {
  const mark = `[redacted:${kind}]`;
  if (typeof groups !== "object" || groups === null || !("secret" in groups)) return mark;
  const secret = String(groups.secret);
  if (secret.startsWith("[redacted:") || isPlaceholder(secret)) return whole;
  const at = whole.lastIndexOf(secret);
  return whole.slice(0, at) + mark + whole.slice(at + secret.length);
}

const MAY_ASSIGN = /key|token|secret|pass|pwd|credential/i;
/** `API_TOKEN=…`, `"clientSecret": "…"`, `password: …`, `--token …`: a name, a sign, a value without spaces. */
const ASSIGNMENT =
  /(?<name>(?<![A-Za-z0-9])(?:--?)?["']?[\w.-]{0,60}(?:api[_-]?key|access[_-]?key|secret[_-]?key(?:[_-]?base)?|private[_-]?key|signing[_-]?key|encryption[_-]?key|auth[_-]?key|key[_-]?id|token|secret|passw(?:or)?d|[_-]pass|passphrase|pwd|credentials?|key)\\?["']?(?:\]|\))?)(?<sign>\s*(?:=>|:=|=|:)\s*|\s+(?=["']?[A-Za-z0-9+/_.~-]{20,}["']?(?:\s|$)))(?<quote>\\?["'`]?)(?<value>(?:[^\s"'`,;(){}<>[\]\\]|\\(?!["'])){8,300})/gi;

function assigned(whole: string, ...rest: unknown[]): string {
  const groups = rest.at(-1);
  if (typeof groups !== "object" || groups === null || !("value" in groups) || !("name" in groups))
    return whole;
  const value = String(groups.value);
  const name = String(groups.name);
  const isPassword = /pass|pwd/i.test(name);
  if (value.startsWith("[redacted:") || isPlaceholder(value) || isHarmless(value)) return whole;
  if (!(isPassword ? looksChosen(value) : looksRandom(value))) return whole;
  return `${whole.slice(0, whole.length - value.length)}[redacted:${isPassword ? "password" : "secret"}]`;
}

/** What documentation writes where a secret belongs. */
function isPlaceholder(value: string): boolean {
  return /^(?:[x*.•_-]+|<.*>|\$.*|\{\{.*|%.*%|your[_-].*|my[_-].*|change[_-]?me.*|example.*|placeholder.*|redacted.*|secret|password|passwd|token|none|null|undefined|true|false|test|dummy.*|fake.*|foo.*|bar.*)$/i.test(
    value,
  );
}

/** Git hashes and other digests, UUIDs, paths, names of variables, calls, versions. */
function isHarmless(value: string): boolean {
  return (
    (/^[0-9a-f]{7,64}$/.test(value) && [7, 8, 10, 12].includes(value.length)) ||
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value) ||
    /^(?:sha(?:1|256|512)[-:])/.test(value) ||
    /^(?:\.{0,2}\/|~\/|https?:|file:)/.test(value) ||
    isRelativePath(value) ||
    /^(?:process|import|env|os|config|settings|ctx|this|self|req|args)[.[]/i.test(value) ||
    /^[a-z]+(?:[A-Z][a-z]+)*\(?$/.test(value) ||
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value) ||
    /^[a-z]+(?:[-_.][a-z]+)*$/.test(value)
  );
}

/** A long key in base64 (AWS: 40 characters) may have slashes too, but has nothing else that paths have. */
function isRelativePath(value: string): boolean {
  const mayBeKey = /^[A-Za-z0-9/]{32,}$/.test(value) && kindsOf(value) === 3;
  return /^[\w-]+(?:\/[\w.-]+)+$/.test(value) && !mayBeKey;
}

/** A password has no fixed shape: a word of letters alone is taken for a name, anything mixed for a secret. */
function looksChosen(value: string): boolean {
  return (
    /\d/.test(value) ||
    /[^A-Za-z0-9_.-]/.test(value) ||
    (/[a-z]/.test(value) && /[A-Z]/.test(value) && value.length >= 10)
  );
}

/** Bits of entropy a character, above which a value is no word: hex of a key has 3.5 or more, base64 4 or more. */
const LEAST_ENTROPY = 3.2;

function looksRandom(value: string): boolean {
  if (value.length < 12) return false;
  return kindsOf(value) >= 2 && entropy(value) >= LEAST_ENTROPY;
}

/** How many of small letters, capitals and digits it has. */
function kindsOf(text: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(text)).length;
}

/** Shannon entropy in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
