// What one check of `agent doctor` found.

import type { AppError } from "../base/errors.ts";

/** Whose fault it is: ours to set up (exit 78), or the server's to be there (exit 69). */
export type Fault = "setup" | "server";

export interface DoctorCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do about it. */
  readonly fix?: string;
  readonly fault?: Fault;
}

export function passed(name: string, detail: string): DoctorCheck {
  return { name, ok: true, detail };
}

export function failedCheck(
  name: string,
  found: { detail: string; fix?: string; fault?: Fault },
): DoctorCheck {
  return { name, ok: false, fault: "setup", ...found };
}

/** A check that ended in an error: `unavailable` is the server's fault. */
export function failedWith(name: string, error: AppError): DoctorCheck {
  return failedCheck(name, {
    detail: error.message,
    fault: error.kind === "unavailable" ? "server" : "setup",
    ...(error.hint === undefined ? {} : { fix: error.hint }),
  });
}
