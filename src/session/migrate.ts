// Versions 1 and 2 of the format, brought to version 3 while an entry is decoded. Ids and parents, which version 1 does
// not have, come from the index; `hookMessage`, the old name of `custom`, is understood by the message decoder.

import { type JsonObject, numberAt } from "../base/json.ts";

/**
 * Version 1 names the first kept entry of a compaction by its position in the file, the header being 0; version 3 by its
 * id. `idAt` gives the id at such a position.
 */
export function migrateEntry(object: JsonObject, idAt: (position: number) => string | undefined): JsonObject {
  if (object["type"] !== "compaction" || object["firstKeptEntryId"] !== undefined) return object;
  const position = numberAt(object, "firstKeptEntryIndex");
  if (position === undefined) return object;
  const { firstKeptEntryIndex: _position, ...rest } = object;
  const firstKeptEntryId = position < 1 ? undefined : idAt(position);
  return firstKeptEntryId === undefined ? rest : { ...rest, firstKeptEntryId };
}
