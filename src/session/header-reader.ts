// Finding a file's header among its lines, wherever it stands, and making one where there is none.

import { type JsonObject, stringAt } from "../base/json.ts";
import { validTimestamp } from "./codec.ts";
import type { SessionHeader, SessionProblem } from "./entry.ts";
import { decodeHeader } from "./header.ts";
import { derivedSessionId } from "./ids.ts";
import { isTitle } from "./line-problems.ts";
import { problemAt } from "./problems.ts";

/** A line's object and where it came from. */
export interface HeaderLine {
  readonly value: JsonObject;
  readonly bytes: Uint8Array;
  readonly line: number;
  /** Whether anything but a title line stood before it. */
  readonly isFirst: boolean;
}

/** A header that stands further down is none of this session: what waits for it would be the whole of a long file. */
export const LAST_HEADER_LINE = 1_000;

export interface HeaderReader {
  /** The header, once its line was read. */
  readonly header: SessionHeader | undefined;
  /** As the header says; undefined before there is one. */
  readonly version: number | undefined;
  /** True if the line is a header or a title line, and no entry. */
  take(line: HeaderLine): boolean;
  /** The header of a converted session. */
  set(header: SessionHeader): void;
  /** The header in the end: where the file has none, one of that version, made from the content of `firstLine`. */
  finish(firstLine: Uint8Array, version: number): SessionHeader;
}

/** A reader for one file; what is wrong with its headers goes to `problems`. */
export function createHeaderReader(problems: SessionProblem[]): HeaderReader {
  let header: SessionHeader | undefined;
  let version: number | undefined;
  let title = "";

  const takeHeader = ({ value, bytes, line, isFirst }: HeaderLine): boolean => {
    const hasId = typeof value["id"] === "string" && value["id"] !== "";
    const decoded = decodeHeader(hasId ? value : { ...value, id: derivedSessionId(bytes) });
    if (decoded === undefined) return false;
    if (!hasId) problems.push(problemAt(line, "no-id", "the header has no id; one is derived from its line"));
    if (validTimestamp(value) === undefined)
      problems.push(problemAt(line, "no-timestamp", "the header has no timestamp that is a time"));
    if (!isFirst) problems.push(problemAt(line, "header-not-first", "the header is not the first line"));
    if (decoded.version > 3) {
      const known = `the header says version ${decoded.version}; versions 1 to 3 are known`;
      problems.push(problemAt(line, "unknown-version", known));
    }
    header = decoded.header;
    version = decoded.version;
    return true;
  };

  return {
    get header() {
      return header === undefined ? undefined : withTitle(header, title);
    },
    get version() {
      return version;
    },
    take(line) {
      if (isTitle(line.value)) {
        if (header === undefined) title ||= stringAt(line.value, "title") ?? "";
        return true;
      }
      if (line.value["type"] !== "session") return false;
      if (header === undefined && line.line <= LAST_HEADER_LINE) return takeHeader(line);
      const extra = "one more header; its entries are read as part of this session";
      problems.push(problemAt(line.line, "extra-header", extra));
      return true;
    },
    set(given) {
      header = given;
      version = 3;
    },
    finish(firstLine, ofEntries) {
      if (header === undefined) {
        problems.push(problemAt(1, "no-header", "the file has no header line"));
        header = headerFor(firstLine);
        version = ofEntries;
      }
      return withTitle(header, title);
    },
  };
}

/** A title line gives a title to a header that has none. */
function withTitle(header: SessionHeader, title: string): SessionHeader {
  return header.title === undefined && title !== "" ? { ...header, title } : header;
}

function headerFor(firstLine: Uint8Array): SessionHeader {
  return {
    type: "session",
    version: 3,
    id: derivedSessionId(firstLine),
    timestamp: new Date(0).toISOString(),
    cwd: "",
  };
}
