// From merged leaves, already checked by the schema, to complete settings: every gap is filled by its default.

import { parseDuration } from "../base/duration.ts";
import {
  booleanAt,
  isObject,
  type JsonObject,
  numberAt,
  objectAt,
  stringAt,
  stringsAt,
} from "../base/json.ts";
import type { Leaf } from "./layers.ts";
import {
  type CustomToolSettings,
  DEFAULT_SETTINGS,
  type Grant,
  type HookSettings,
  type PermissionSettings,
  type Settings,
} from "./settings.ts";

type Leaves = ReadonlyMap<string, Leaf>;

const TOOL_TIMEOUT_MS = 120_000;
const HOOK_TIMEOUT_MS = 10_000;

/** A value of the wrong type cannot come here (the schema refused it); it would count as not given. */
export function buildSettings(leaves: Leaves): Settings {
  const at = reader(leaves);
  const defaults = DEFAULT_SETTINGS;
  return {
    model: at.text("model"),
    host: at.text("host"),
    numCtx: at.number("numCtx"),
    keepAlive: at.text("keepAlive") ?? at.number("keepAlive"),
    think: at.choice("think", ["off", "on", "low", "medium", "high"]),
    ttsr: buildTtsr(at),
    handoff: {
      engine: at.choice("handoff.engine", ["auto", "model", "offline"]) ?? defaults.handoff.engine,
      model: at.text("handoff.model"),
      evidence: at.boolean("handoff.evidence") ?? defaults.handoff.evidence,
      redact: at.boolean("handoff.redact") ?? defaults.handoff.redact,
      budget: at.number("handoff.budget") ?? defaults.handoff.budget,
    },
    permissions: buildPermissions(at),
    tools: (at.list("tools") ?? []).filter(isObject).map(decodeTool),
    hooks: buildHooks(leaves),
    limits: {
      maxTurns: at.number("limits.maxTurns") ?? defaults.limits.maxTurns,
      maxTimeMs: durationMs(at.text("limits.maxTime") ?? at.number("limits.maxTime")),
      maxTokens: at.number("limits.maxTokens"),
    },
    retry: {
      attempts: at.number("retry.attempts") ?? defaults.retry.attempts,
      baseDelayMs: at.number("retry.baseDelayMs") ?? defaults.retry.baseDelayMs,
    },
    trustedProjects: at.texts("trustedProjects") ?? [],
  };
}

function buildTtsr(at: Reader): Settings["ttsr"] {
  const defaults = DEFAULT_SETTINGS.ttsr;
  return {
    enabled: at.boolean("ttsr.enabled") ?? defaults.enabled,
    contextMode: at.choice("ttsr.contextMode", ["discard", "keep"]) ?? defaults.contextMode,
    interruptMode:
      at.choice("ttsr.interruptMode", ["always", "prose-only", "tool-only", "never"]) ??
      defaults.interruptMode,
    repeatMode: at.choice("ttsr.repeatMode", ["once", "after-gap"]) ?? defaults.repeatMode,
    repeatGap: at.number("ttsr.repeatGap") ?? defaults.repeatGap,
    retryDelayMs: at.number("ttsr.retryDelayMs") ?? defaults.retryDelayMs,
    maxInterrupts: at.number("ttsr.maxInterrupts") ?? defaults.maxInterrupts,
    maxInterruptsPerRule: at.number("ttsr.maxInterruptsPerRule") ?? defaults.maxInterruptsPerRule,
    disabledRules: at.texts("ttsr.disabledRules") ?? defaults.disabledRules,
  };
}

function buildPermissions(at: Reader): PermissionSettings {
  return {
    read: at.grant("permissions.read"),
    write: at.grant("permissions.write"),
    run: at.grant("permissions.run"),
    env: at.grant("permissions.env"),
    net: at.grant("permissions.net"),
    deny: {
      read: at.grant("permissions.deny.read"),
      write: at.grant("permissions.deny.write"),
      run: at.grant("permissions.deny.run"),
    },
  };
}

function buildHooks(leaves: Leaves): Settings["hooks"] {
  const hooks: [string, readonly HookSettings[]][] = [];
  for (const [name, leaf] of leaves) {
    if (!name.startsWith("hooks.") || !Array.isArray(leaf.value)) continue;
    hooks.push([name.slice("hooks.".length), leaf.value.filter(isObject).map(decodeHook)]);
  }
  return Object.fromEntries(hooks);
}

function decodeHook(hook: JsonObject): HookSettings {
  return { command: stringsAt(hook, "command"), timeoutMs: numberAt(hook, "timeoutMs") ?? HOOK_TIMEOUT_MS };
}

function decodeTool(tool: JsonObject): CustomToolSettings {
  return {
    name: stringAt(tool, "name") ?? "",
    description: stringAt(tool, "description") ?? "",
    parameters: objectAt(tool, "parameters") ?? {},
    command: stringsAt(tool, "command"),
    timeoutMs: numberAt(tool, "timeoutMs") ?? TOOL_TIMEOUT_MS,
    onSession: booleanAt(tool, "onSession") ?? false,
  };
}

/** A bare number is seconds, as with flags. */
function durationMs(value: string | number | undefined): number | undefined {
  return value === undefined ? undefined : parseDuration(String(value));
}

interface Reader {
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  boolean(name: string): boolean | undefined;
  choice<const T extends string>(name: string, choices: readonly T[]): T | undefined;
  list(name: string): readonly unknown[] | undefined;
  texts(name: string): readonly string[] | undefined;
  grant(name: string): Grant;
}

function reader(leaves: Leaves): Reader {
  const value = (name: string) => leaves.get(name)?.value;
  const list = (name: string) => {
    const found = value(name);
    return Array.isArray(found) ? found : undefined;
  };
  const texts = (name: string) => list(name)?.filter((item) => typeof item === "string");
  const boolean = (name: string) => {
    const found = value(name);
    return typeof found === "boolean" ? found : undefined;
  };
  return {
    text: (name) => {
      const found = value(name);
      return typeof found === "string" ? found : undefined;
    },
    number: (name) => {
      const found = value(name);
      return typeof found === "number" ? found : undefined;
    },
    boolean,
    choice: (name, choices) => choices.find((choice) => choice === value(name)),
    list,
    texts,
    grant: (name) => boolean(name) ?? texts(name),
  };
}
