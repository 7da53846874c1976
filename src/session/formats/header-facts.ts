// What a source tells of its session, gathered until the header is written; what comes later is an entry.

import type { SessionHeader } from "../entry.ts";
import { hashOf } from "./ids.ts";
import type { HeaderFacts } from "./output.ts";
import { isoTime } from "./times.ts";

/** Members of `more` fill what `known` lacks; a title replaces the one before. */
export function mergeFacts(known: HeaderFacts, more: HeaderFacts): HeaderFacts {
  return { ...definedOf(more), ...definedOf(known), title: more.title ?? known.title };
}

/** `first` is the time of the first entry, for a source that tells none of its own. */
export function buildHeader(facts: HeaderFacts, first: string | undefined): SessionHeader {
  const timestamp = isoTime(facts.timestamp) ?? first ?? new Date(0).toISOString();
  const { parentSession, title } = facts;
  return {
    type: "session",
    version: 3,
    id: facts.id ?? derivedId(timestamp, facts),
    timestamp,
    cwd: facts.cwd ?? "",
    ...(parentSession === undefined ? {} : { parentSession }),
    ...(title === undefined ? {} : { title }),
  };
}

/** An id for a source that has none, in UUIDv7's form: the same at every reading. */
function derivedId(timestamp: string, facts: HeaderFacts): string {
  const time = Date.parse(timestamp).toString(16).padStart(12, "0");
  const [a, b] = [1, 2].map((seed) => hashOf(seed, JSON.stringify([timestamp, facts])));
  const hash = `${hex(a)}${hex(b)}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6)}00`;
}

function hex(value: number | undefined): string {
  return (value ?? 0).toString(16).padStart(8, "0");
}

/** The object without its undefined members. */
export function definedOf<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
