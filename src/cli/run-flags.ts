// The flags of `agent run` that are its own; those that it shares with other commands come from their tables.

import type { FlagSpec } from "./command.ts";
import { FROM_FLAG } from "./from-flag.ts";

export const RUN_OUTPUTS = ["text", "live", "json", "jsonl", "session"] as const;

/** How the result is printed. */
export type RunOutputName = (typeof RUN_OUTPUTS)[number];

export const RUN_FLAGS: readonly FlagSpec[] = [
  {
    name: "output",
    value: { kind: "choice", choices: RUN_OUTPUTS },
    default: "text in a pipe, live on a terminal",
    help: "the final answer; text as it comes; one result record; every event; the updated session",
  },
  {
    name: "result",
    value: { kind: "text", placeholder: "<file>" },
    default: "none",
    help: "write the result record there too, whatever the output",
  },
  {
    name: "system",
    value: { kind: "text", placeholder: "<text|@file>" },
    default: "built in",
    help: "replaces the system prompt",
  },
  {
    name: "append-system",
    value: { kind: "text", placeholder: "<text|@file>" },
    default: "none",
    help: "goes after the system prompt",
  },
  {
    name: "schema",
    value: { kind: "text", placeholder: "<file>" },
    default: "none",
    help: "JSON Schema that the answer must follow",
  },
  {
    name: "max-turns",
    value: { kind: "integer", placeholder: "<n>", min: 1 },
    default: "50",
    help: "turns before the run ends with exit 6",
  },
  {
    name: "fail-on-violation",
    value: { kind: "switch" },
    default: "off",
    help: "exit 7 if text that a rule of severity error matched stays in the session; no such tool call is run",
  },
  {
    name: "no-context-files",
    value: { kind: "switch" },
    default: "off",
    help: "leave out AGENTS.md and CLAUDE.md",
  },
  {
    name: "no-stdin",
    value: { kind: "switch" },
    default: "off",
    help: "read nothing from stdin",
  },
];

export const SESSION_FLAGS: readonly FlagSpec[] = [
  FROM_FLAG,
  {
    name: "session",
    value: { kind: "text", placeholder: "<session>" },
    default: "a new one",
    help: "go on in this session: a path, an id or its beginning, latest, or - for stdin",
  },
  {
    name: "continue",
    value: { kind: "switch" },
    default: "off",
    help: "go on in the newest session of this directory",
  },
  {
    name: "fork",
    value: { kind: "text", placeholder: "<session>[:<entry>]" },
    default: "none",
    help: "copy a branch, up to the entry if one is named, into a new session",
  },
  {
    name: "into",
    value: { kind: "text", placeholder: "<path>" },
    default: "the store",
    help: "make the new session there; nothing may stand there",
  },
  { name: "no-session", value: { kind: "switch" }, default: "off", help: "record nothing" },
  {
    name: "name",
    value: { kind: "text", placeholder: "<text>" },
    default: "none",
    help: "name of the session, for lists",
  },
  {
    name: "wait",
    value: { kind: "duration", placeholder: "<duration>" },
    default: "0",
    help: "how long to wait for a session that another process writes",
  },
];
