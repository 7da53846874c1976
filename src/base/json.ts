// Reading values of unknown shape. Decoders start from these; nothing here throws.

/** A JSON object whose members are not known yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member, if it is a string. */
export function stringAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" ? value : undefined;
}

/** The member, if it is a finite number. */
export function numberAt(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The member, if it is a whole number above zero: a count or a size, whatever else somebody may send. */
export function countAt(object: JsonObject, key: string): number | undefined {
  const value = numberAt(object, key);
  return value !== undefined && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** The member, if it is a boolean. */
export function booleanAt(object: JsonObject, key: string): boolean | undefined {
  const value = object[key];
  return typeof value === "boolean" ? value : undefined;
}

/** The member, if it is an object. */
export function objectAt(object: JsonObject, key: string): JsonObject | undefined {
  const value = object[key];
  return isObject(value) ? value : undefined;
}

/** The member, if it is an array. */
export function arrayAt(object: JsonObject, key: string): readonly unknown[] | undefined {
  const value = object[key];
  return Array.isArray(value) ? value : undefined;
}

/** The strings of the member, if it is an array; anything else in it is left out. */
export function stringsAt(object: JsonObject, key: string): readonly string[] {
  return (arrayAt(object, key) ?? []).filter((item) => typeof item === "string");
}

/**
 * Nothing that means something is nested deeper. The runtimes read any depth, but what then goes through such a value
 * (writing it as JSON again, checking it by a schema) runs out of stack.
 */
const MOST_LEVELS = 1_000;

/**
 * The value of a JSON text, or `undefined` where it is not JSON (no JSON text has the value `undefined`). A text nested
 * deeper than 1,000 levels is not.
 */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // A text has two characters for each level at least, so short ones need no look.
    return text.length > 2 * MOST_LEVELS && isDeeper(value, MOST_LEVELS) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Whether a value has more than `levels` of nesting; it goes one step deeper than that and no further. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  for (const member of Object.values(value)) if (isDeeper(member, levels - 1)) return true;
  return false;
}
