// Opening a session: bytes → lines → entries. Reading is lenient and never silent: what cannot be read is a problem with
// its line, and the rest is read.

import { AppError, codeOf, messageOf } from "../base/errors.ts";
import { isObject, parseJson, stringAt } from "../base/json.ts";
import { byteLines, fileChunks } from "../base/lines.ts";
import { decodeEntry, type EntryPlace } from "./codec.ts";
import type { Entry, SessionHeader, SessionProblem } from "./entry.ts";
import { decodeHeader } from "./header.ts";
import { derivedEntryId, derivedSessionId } from "./ids.ts";
import { problemAt } from "./problems.ts";
import type { IndexRow, Session, SessionFormat } from "./session.ts";

/**
 * Opens a session file of any known format. Throws `AppError`: `notFound` if there is no such file, `input` if nothing
 * in it can be used, `failed` if it cannot be read.
 */
export async function openSession(path: string): Promise<Session> {
  try {
    return await readSession(fileChunks(path), { path });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (codeOf(error) === "ENOENT")
      throw new AppError("notFound", `Cannot open session "${path}": there is no such file`, {
        cause: error,
      });
    throw new AppError("failed", `Cannot read session "${path}": ${messageOf(error)}`, { cause: error });
  }
}

export interface ReadOptions {
  /** Absolute path that the bytes come from; left out for a pipe. */
  readonly path?: string;
}

/** Reads a session of any known format from a stream of bytes. Throws `AppError` (`input`) if nothing can be used. */
export async function readSession(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): Promise<Session> {
  const problems: SessionProblem[] = [];
  const entries: Entry[] = [];
  const rows: IndexRow[] = [];
  const byId = new Map<string, Entry>();
  let header: SessionHeader | undefined;
  let version = 3;
  let first: Uint8Array | undefined;
  for await (const line of byteLines(chunks)) {
    if (line.bytes.length === 0) continue;
    first ??= line.bytes;
    const value = parseJson(new TextDecoder().decode(line.bytes));
    if (!isObject(value)) {
      problems.push(
        problemAt(line.number, value === undefined ? "not-json" : "not-object", "not a JSON object"),
      );
      continue;
    }
    const decodedHeader = decodeHeader(value);
    if (decodedHeader !== undefined) {
      header ??= decodedHeader.header;
      version = decodedHeader.version;
      continue;
    }
    if (stringAt(value, "type") === "title") continue;
    const previous = entries.at(-1);
    const parentId = value["parentId"];
    const place: EntryPlace = {
      id: stringAt(value, "id") ?? derivedEntryId(line.number, line.bytes, (id) => byId.has(id)),
      parentId: typeof parentId === "string" || parentId === null ? parentId : (previous?.id ?? null),
      timestamp: previous?.timestamp ?? header?.timestamp ?? new Date(0).toISOString(),
    };
    const { entry } = decodeEntry(value, place);
    entries.push(entry);
    byId.set(entry.id, entry);
    rows.push({ id: entry.id, parentId: entry.parentId, type: entry.type, line: line.number });
  }
  if (header === undefined && entries.length === 0)
    throw new AppError("input", `Cannot read session "${options.path ?? "-"}": it holds no session`);
  return {
    header: header ?? {
      type: "session",
      version: 3,
      id: derivedSessionId(first ?? new Uint8Array(0)),
      timestamp: new Date(0).toISOString(),
      cwd: "",
    },
    format: formatOf(version),
    path: options.path,
    problems,
    size: entries.length,
    leafId: entries.at(-1)?.id ?? null,
    row(index) {
      const row = rows[index];
      if (row === undefined) throw new RangeError(`no entry ${index}`);
      return row;
    },
    entry: (id) => byId.get(id),
    entries: () => entries,
  };
}

function formatOf(version: number): SessionFormat {
  return version <= 1 ? "pi-v1" : version === 2 ? "pi-v2" : "pi-v3";
}
