// Verifying a session line by line.

import type { SessionProblem } from "./entry.ts";
import type { ConversionReport } from "./formats/report.ts";
import { formatOfVersion, isForeign } from "./open.ts";
import type { SessionFormat } from "./session.ts";
import { unreadable } from "./source.ts";
import { streamAnySession } from "./stream-any.ts";

export interface SessionCheck {
  /** False if there is damage: a problem of severity `error`. */
  readonly ok: boolean;
  readonly format: SessionFormat;
  readonly entries: number;
  /** What the conversion of another agent's session did with it. */
  readonly report?: ConversionReport;
  /** In the order of lines. */
  readonly problems: readonly SessionProblem[];
}

/**
 * Reads every line of a session and says all that is wrong with it. Memory grows by the ids alone. `name` is for
 * messages. Throws `AppError` (`input`) for what is no session of a known format.
 */
export async function checkSession(chunks: AsyncIterable<Uint8Array>, name: string): Promise<SessionCheck> {
  const problems: SessionProblem[] = [];
  let format: SessionFormat = "pi-v3";
  let entries = 0;
  let report: ConversionReport | undefined;
  for await (const items of streamAnySession(chunks, name))
    for (const item of items) {
      if (item.kind === "format") format = item.format;
      else if (item.kind === "report") report = item.report;
      else if (item.kind === "problem") problems.push(item.problem);
      else if (item.kind === "entry") entries += 1;
      else if (item.kind === "header" && !isForeign(format)) format = formatOfVersion(item.version);
    }
  if (problems.some((problem) => problem.code === "empty-file"))
    throw unreadable(name, "no line of it can be used");
  problems.sort((a, b) => a.line - b.line);
  const ok = !problems.some(({ severity }) => severity === "error");
  return { ok, format, entries, ...(report === undefined ? {} : { report }), problems };
}
