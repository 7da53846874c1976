// Trust: a project does not decide where prompts go, what tools may do or which programs start because it was cloned.

import { realOf } from "../base/stat.ts";
import { expandPath, type Layer, type Leaf } from "./layers.ts";

/** What a project's settings may say only when the user trusts the project. */
const NEEDS_TRUST = ["host", "permissions", "tools", "hooks"] as const;
/** A recording is a model whose every tool call the project has written, so it needs trust too. */
const RECORDING = "replay:";

/**
 * Whether the user's own settings list one of the directories: the project's, or one above it in the same repository.
 * Links are followed on both sides.
 */
export function isTrusted(
  directories: readonly string[],
  trustedProjects: readonly string[],
  home: string,
): boolean {
  const real = directories.map(realOf);
  return trustedProjects.some((listed) => real.includes(realOf(expandPath(listed, home, home))));
}

export interface Restricted {
  readonly layer: Layer;
  /** Groups that were taken out. */
  readonly ignored: readonly string[];
}

/** The layer without what needs trust. */
export function withoutTrust(layer: Layer): Restricted {
  const restricted = [...layer.leaves].map(([name, leaf]) => ({ name, leaf, group: groupOf(name, leaf) }));
  const kept = restricted.filter(({ group }) => group === undefined);
  const ignored = restricted.flatMap(({ group }) => (group === undefined ? [] : [group]));
  return {
    layer: { ...layer, leaves: new Map(kept.map(({ name, leaf }) => [name, leaf])) },
    ignored: [...new Set(ignored)],
  };
}

/** What a value is called when it is ignored; `undefined` for one that needs no trust. */
function groupOf(name: string, { value }: Leaf): string | undefined {
  const group = NEEDS_TRUST.find((candidate) => name === candidate || name.startsWith(`${candidate}.`));
  if (group !== undefined) return group;
  const isModel = name === "model" || name === "handoff.model";
  return isModel && typeof value === "string" && value.startsWith(RECORDING) ? name : undefined;
}
