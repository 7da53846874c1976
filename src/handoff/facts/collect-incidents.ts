// What interfered with the work from outside of it: errors of the model's server, also of requests that were tried again,
// and rules that cut the stream.

import { isObject, type JsonObject, numberAt, objectAt, stringAt } from "../../base/json.ts";
import type { Redact } from "../redact.ts";
import { clip } from "./clip.ts";
import type { IncidentFact } from "./facts.ts";

const ERROR_LENGTH = 160;
const NAME_LENGTH = 60;

export interface IncidentCollector {
  /** A request to the model failed. */
  modelFailed(text: string, entryId: string): void;
  rulesFired(names: readonly string[], entryId: string): void;
  /** Each error once, the latest first. */
  modelErrors(): readonly IncidentFact[];
  /** Each rule once, the latest first. */
  rules(): readonly IncidentFact[];
}

export function createIncidentCollector(redact: Redact): IncidentCollector {
  const errors = new Map<string, IncidentFact>();
  const rules = new Map<string, IncidentFact>();
  return {
    modelFailed: (text, entryId) => count(errors, clip(redact(text), ERROR_LENGTH), entryId),
    rulesFired(names, entryId) {
      for (const name of names) count(rules, clip(redact(name), NAME_LENGTH), entryId);
    },
    modelErrors: () => [...errors.values()].reverse(),
    rules: () => [...rules.values()].reverse(),
  };
}

function count(into: Map<string, IncidentFact>, text: string, entryId: string): void {
  if (text === "") return;
  const times = (into.get(text)?.times ?? 0) + 1;
  into.delete(text);
  into.set(text, { text, times, entryId });
}

/** What Claude Code notes when a request fails and is tried again: a status, and perhaps a message somewhere below. */
export function apiErrorText(data: unknown): string {
  const error = isObject(data) ? (objectAt(data, "error") ?? {}) : {};
  const status = numberAt(error, "status");
  const message = messageBelow(error, 3);
  return ["API error", ...(status === undefined ? [] : [String(status)]), ...(message ?? [])].join(" ");
}

function messageBelow(error: JsonObject, depth: number): readonly [string] | undefined {
  const message = stringAt(error, "message");
  if (message !== undefined && message !== "") return [message];
  const inner = objectAt(error, "error");
  return inner === undefined || depth === 0 ? undefined : messageBelow(inner, depth - 1);
}
