// The settings as the program uses them, complete and checked, and their defaults.

export interface TtsrSettings {
  readonly enabled: boolean;
  readonly contextMode: "discard" | "keep";
  readonly interruptMode: "always" | "prose-only" | "tool-only" | "never";
  readonly repeatMode: "once" | "after-gap";
  /** Completed turns before a rule may fire again with `after-gap`. */
  readonly repeatGap: number;
  readonly retryDelayMs: number;
  /** Interrupts in one run before it ends with exit 7. */
  readonly maxInterrupts: number;
  readonly maxInterruptsPerRule: number;
  readonly disabledRules: readonly string[];
}

/**
 * A grant: `true` (for paths the working directory, else everything of its kind), nothing, or what is listed (paths are
 * absolute). `undefined` means: not said.
 */
export type Grant = boolean | readonly string[] | undefined;

export interface PermissionSettings {
  readonly read: Grant;
  readonly write: Grant;
  readonly run: Grant;
  readonly env: Grant;
  readonly net: Grant;
  readonly deny: { readonly read: Grant; readonly write: Grant; readonly run: Grant };
}

export interface CustomToolSettings {
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly [key: string]: unknown };
  /** Argument vector; a program given by path is absolute. */
  readonly command: readonly string[];
  readonly timeoutMs: number;
  /** Also started with events of the session. */
  readonly onSession: boolean;
}

export interface HookSettings {
  readonly command: readonly string[];
  readonly timeoutMs: number;
}

export interface Settings {
  readonly model: string | undefined;
  readonly host: string | undefined;
  readonly numCtx: number | undefined;
  readonly keepAlive: string | number | undefined;
  readonly think: "off" | "on" | "low" | "medium" | "high" | undefined;
  readonly ttsr: TtsrSettings;
  readonly handoff: {
    readonly engine: "auto" | "model" | "offline";
    readonly model: string | undefined;
    readonly evidence: boolean;
    readonly redact: boolean;
    /** Tokens. */
    readonly budget: number;
  };
  readonly permissions: PermissionSettings;
  readonly tools: readonly CustomToolSettings[];
  /** Event name → programs. */
  readonly hooks: { readonly [event: string]: readonly HookSettings[] };
  readonly limits: {
    readonly maxTurns: number;
    readonly maxTimeMs: number | undefined;
    readonly maxTokens: number | undefined;
  };
  readonly retry: { readonly attempts: number; readonly baseDelayMs: number };
  readonly trustedProjects: readonly string[];
}

export const DEFAULT_SETTINGS: Settings = {
  model: undefined,
  host: undefined,
  numCtx: undefined,
  keepAlive: undefined,
  think: undefined,
  ttsr: {
    enabled: true,
    contextMode: "discard",
    interruptMode: "always",
    repeatMode: "once",
    repeatGap: 10,
    retryDelayMs: 50,
    maxInterrupts: 10,
    maxInterruptsPerRule: 3,
    disabledRules: [],
  },
  handoff: { engine: "auto", model: undefined, evidence: true, redact: true, budget: 4000 },
  permissions: {
    read: undefined,
    write: undefined,
    run: undefined,
    env: undefined,
    net: undefined,
    deny: { read: undefined, write: undefined, run: undefined },
  },
  tools: [],
  hooks: {},
  limits: { maxTurns: 50, maxTimeMs: undefined, maxTokens: undefined },
  retry: { attempts: 3, baseDelayMs: 500 },
  trustedProjects: [],
};
