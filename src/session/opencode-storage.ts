// OpenCode keeps a session in many small files: its record, a file a message, a file a part. Read in order they are what
// its export command writes.

import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { isObject, type JsonObject, parseJson, stringAt } from "../base/json.ts";
import { statOf } from "../base/stat.ts";

export interface OpencodeHome {
  /** Absolute. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** OpenCode's directory of data. */
export function opencodeDirectory({ home, env }: OpencodeHome): string {
  return join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "opencode");
}

/** The database that newer versions keep sessions in, which is not read; undefined where there is none. */
export function opencodeDatabase(place: OpencodeHome): string | undefined {
  const path = join(opencodeDirectory(place), "opencode.db");
  return statOf(path)?.isFile() ? path : undefined;
}

/** The export of the session whose record is at `path` (`storage/session/<project>/<id>.json`), message by message. */
export async function* opencodeExport(path: string): AsyncGenerator<Uint8Array, void> {
  const storage = dirname(dirname(dirname(path)));
  const info = readObject(path) ?? {};
  const id = stringAt(info, "id") ?? basename(path, ".json");
  yield Buffer.from(`{"info":${JSON.stringify(info)},"messages":[`);
  let separator = "";
  for (const message of objectsIn(join(storage, "message", id))) {
    const parts = objectsIn(join(storage, "part", stringAt(message, "id") ?? ""));
    yield Buffer.from(`${separator}${JSON.stringify({ info: message, parts })}`);
    separator = ",";
  }
  yield Buffer.from("]}\n");
}

/** Objects of a directory's files; their names are ids that sort by time. */
function objectsIn(directory: string): readonly JsonObject[] {
  let names: string[];
  try {
    names = fs.readdirSync(directory);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => {
      const object = readObject(join(directory, name));
      return object === undefined ? [] : [object];
    });
}

function readObject(path: string): JsonObject | undefined {
  try {
    const value = parseJson(fs.readFileSync(path, "utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
