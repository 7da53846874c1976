// Merging of layers, leaf by leaf: a later one wins. Tools are merged by name; hooks and denials are added.

import { arrayAt, isObject, stringAt } from "../base/json.ts";
import { expandPath, type Layer, type Leaf } from "./layers.ts";

export interface Merged {
  readonly leaves: ReadonlyMap<string, Leaf>;
  readonly warnings: readonly string[];
}

/** Merges in order. A denial of an earlier layer stays: a project cannot take back what the user forbids. */
export function mergeLayers(layers: readonly Layer[], home: string): Merged {
  const leaves = new Map<string, Leaf>();
  const warnings: string[] = [];
  for (const layer of layers) {
    for (const [name, leaf] of layer.leaves) {
      if (name === "trustedProjects" && layer.source !== "user") {
        warnings.push(
          `${layer.file}: trustedProjects ignored: only the user's own settings can trust a project`,
        );
        continue;
      }
      if (name === "permissions.net" && Array.isArray(leaf.value) && leaf.value.length > 0)
        warnings.push(
          `${layer.file}: permissions.net: a list of hosts cannot be enforced and counts as false`,
        );
      const placed = { ...leaf, value: place(name, leaf.value, { layer, home }) };
      const before = leaves.get(name);
      leaves.set(
        name,
        before === undefined ? placed : { ...placed, value: combine(name, before.value, placed.value) },
      );
    }
  }
  return { leaves, warnings };
}

function combine(name: string, before: unknown, after: unknown): unknown {
  if (name.startsWith("permissions.deny.")) return addDenials(before, after);
  if (!Array.isArray(before) || !Array.isArray(after)) return after;
  if (name.startsWith("hooks.")) return [...before, ...after];
  if (name !== "tools") return after;
  const names = new Set(after.map(nameOf));
  return [...before.filter((tool) => !names.has(nameOf(tool))), ...after];
}

function addDenials(before: unknown, after: unknown): unknown {
  if (before === true || after === true) return true;
  return [...(Array.isArray(before) ? before : []), ...(Array.isArray(after) ? after : [])];
}

function nameOf(tool: unknown): string | undefined {
  return isObject(tool) ? stringAt(tool, "name") : undefined;
}

const PATHS: ReadonlySet<string> = new Set(
  ["read", "write", "deny.read", "deny.write"].map((name) => `permissions.${name}`),
);

/** Paths and programs become absolute while it is still known which file they stand in. */
function place(
  name: string,
  value: unknown,
  from: { readonly layer: Layer; readonly home: string },
): unknown {
  const { layer, home } = from;
  if (!Array.isArray(value)) return value;
  if (PATHS.has(name)) return value.map((path) => expandPath(String(path), layer.pathsFrom, home));
  if (name !== "tools" && !name.startsWith("hooks.")) return value;
  return value.map((item) => {
    const command = isObject(item) ? arrayAt(item, "command") : undefined;
    const [program, ...rest] = command ?? [];
    if (!isObject(item) || typeof program !== "string" || !program.includes("/")) return item;
    return { ...item, command: [expandPath(program, layer.programsFrom, home), ...rest] };
  });
}
