// An entry named on the command line, by its id or its beginning.

import { AppError } from "../base/errors.ts";
import type { Entry } from "../session/entry.ts";
import type { Session } from "../session/session.ts";

const SHORTEST_PREFIX = 4;

/**
 * Finds an entry of a session. Throws `AppError`: `notFound` if there is none, `usage` if several ids begin so.
 */
export function findEntry(session: Session, text: string): Entry {
  const exact = session.entry(text);
  if (exact !== undefined) return exact;
  const found = new Set<string>();
  for (let index = 0; text.length >= SHORTEST_PREFIX && index < session.size; index++) {
    const { id } = session.row(index);
    if (id.startsWith(text)) found.add(id);
  }
  const [only, ...others] = found;
  if (others.length > 0)
    throw new AppError("usage", `"${text}" is the beginning of ${found.size} entry ids`, {
      hint: [...found].slice(0, 10).join("\n"),
    });
  const entry = only === undefined ? undefined : session.entry(only);
  if (entry === undefined)
    throw new AppError("notFound", `The session ${session.header.id} has no entry "${text}"`, {
      hint: "agent session show --all lists the entries with their ids.",
    });
  return entry;
}
