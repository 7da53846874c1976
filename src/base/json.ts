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

/** Whether a value is nested deeper than `levels`. Goes level by level, so that no depth exhausts the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value].filter(isNested);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((each) => Object.values(each).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
