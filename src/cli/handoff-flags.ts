// The flags of `agent handoff` that other commands do not have, and what they mean together.

import { AppError } from "../base/errors.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext, FlagSpec } from "./command.ts";
import { FROM_FLAG } from "./from-flag.ts";
import { outputFlag } from "./global-flags.ts";
import { intoPath } from "./into-path.ts";

export const HANDOFF_FLAGS: readonly FlagSpec[] = [
  {
    name: "focus",
    value: { kind: "text", placeholder: "<text>" },
    default: "none",
    help: "what the document should dwell on",
  },
  {
    name: "engine",
    value: { kind: "choice", choices: ["auto", "model", "offline"] },
    default: "auto",
    help: "who writes it: a model, or extraction without one",
  },
  outputFlag(["md", "json", "session"], "the document, one JSON document, or the new session"),
  FROM_FLAG,
  {
    name: "into",
    value: { kind: "text", placeholder: "<path>" },
    default: "the store",
    help: "where the new session goes; nothing may be there",
  },
  { name: "no-session", value: { kind: "switch" }, default: "off", help: "make no new session" },
  {
    name: "strict",
    value: { kind: "switch" },
    default: "off",
    help: "exit 3 if a section is missing",
  },
  { name: "no-evidence", value: { kind: "switch" }, default: "off", help: "leave the evidence out" },
  { name: "no-redact", value: { kind: "switch" }, default: "off", help: "show secrets as they are" },
  {
    name: "budget",
    value: { kind: "integer", placeholder: "<tokens>", min: 200 },
    default: "4000",
    help: "size of the offline document, or of the evidence",
  },
  {
    name: "wait",
    value: { kind: "duration", placeholder: "<duration>" },
    default: "0",
    help: "wait this long for a session in use",
  },
  { name: "no-stdin", value: { kind: "switch" }, default: "off", help: "never read stdin" },
  {
    name: "result",
    value: { kind: "text", placeholder: "<file>" },
    default: "none",
    help: "write the result record to this file",
  },
];

export type HandoffOutput = "md" | "json" | "session";

/** What the flags and the settings ask for. */
export interface HandoffWish {
  readonly engine: "auto" | "model" | "offline";
  readonly focus: string | undefined;
  readonly output: HandoffOutput;
  /** Absolute path of `--into`. */
  readonly into: string | undefined;
  /** Whether a new session file is made. */
  readonly newSession: boolean;
  readonly strict: boolean;
  readonly evidence: boolean;
  readonly redact: boolean;
  /** Tokens. */
  readonly budget: number;
  readonly waitMs: number;
}

/** Throws `AppError` (`usage`) for flags that exclude one another. */
export function handoffWish(context: CommandContext, settings: Settings): HandoffWish {
  const { flags } = context;
  const output = outputOf(flags.text("output"));
  const into = intoPath(context, "--output session");
  if (into !== undefined && flags.has("no-session")) throw exclusive("--into", "--no-session");
  if (into !== undefined && output === "session") throw exclusive("--into", "--output session");
  const engine = flags.text("engine");
  return {
    engine:
      engine === "model" || engine === "offline" || engine === "auto" ? engine : settings.handoff.engine,
    focus: flags.text("focus")?.trim() || undefined,
    output,
    into,
    newSession: !flags.has("no-session") && output !== "session",
    strict: flags.has("strict"),
    evidence: settings.handoff.evidence && !flags.has("no-evidence"),
    redact: settings.handoff.redact && !flags.has("no-redact"),
    budget: flags.integer("budget") ?? settings.handoff.budget,
    waitMs: flags.duration("wait") ?? 0,
  };
}

function outputOf(text: string | undefined): HandoffOutput {
  return text === "json" || text === "session" ? text : "md";
}

function exclusive(one: string, other: string): AppError {
  return new AppError("usage", `${one} and ${other} exclude each other`);
}
