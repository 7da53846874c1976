// Trust: a project does not decide where prompts go, what tools may do or which programs start because it was cloned.

import { realpathSync } from "node:fs";
import type { Layer } from "./layers.ts";
import { expandPath } from "./layers.ts";

/** What a project's settings may say only when the user trusts the project. */
const NEEDS_TRUST = ["host", "permissions", "tools", "hooks"] as const;

/** Whether the user's own settings list the directory; links are followed on both sides. */
export function isTrusted(project: string, trustedProjects: readonly string[], home: string): boolean {
  const real = realOf(project);
  return trustedProjects.some((listed) => realOf(expandPath(listed, home, home)) === real);
}

export interface Restricted {
  readonly layer: Layer;
  /** Groups that were taken out. */
  readonly ignored: readonly string[];
}

/** The layer without what needs trust. */
export function withoutTrust(layer: Layer): Restricted {
  const groupOf = (name: string) =>
    NEEDS_TRUST.find((group) => name === group || name.startsWith(`${group}.`));
  const ignored = NEEDS_TRUST.filter((group) =>
    [...layer.leaves.keys()].some((name) => groupOf(name) === group),
  );
  const leaves = new Map([...layer.leaves].filter(([name]) => groupOf(name) === undefined));
  return { layer: { ...layer, leaves }, ignored };
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
