// What a source tells of its session, gathered until the header is written; what comes later is an entry.

import type { SessionHeader } from "../entry.ts";
import { derivedSessionId } from "../ids.ts";
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
    id: facts.id ?? derivedSessionId(new TextEncoder().encode(JSON.stringify([timestamp, facts]))),
    timestamp,
    cwd: facts.cwd ?? "",
    ...(parentSession === undefined ? {} : { parentSession }),
    ...(title === undefined ? {} : { title }),
  };
}

/** The object without its undefined members. */
export function definedOf<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
