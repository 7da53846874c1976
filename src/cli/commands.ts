// The table of commands: words, one line of help, and how to load the code. Nothing is loaded until it runs.

import type { Command, CommandWords } from "./command.ts";

export interface CommandRow extends CommandWords {
  load(): Promise<Command>;
}

/** In the order in which `agent --help` lists them. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "run",
    usage: "[prompt...] [@file...]",
    summary: "run one prompt through the agent loop",
    load: async () => (await import("./run.ts")).runCommand,
  },
  {
    name: "handoff",
    usage: "<session>",
    summary: "write a handoff document, and start a new session from it",
    load: async () => (await import("./handoff.ts")).handoffCommand,
  },
  {
    name: "rules check",
    usage: "[path...]",
    summary: "lint the rules; exit 3 on findings",
    load: async () => (await import("./rules-check.ts")).rulesCheckCommand,
  },
  {
    name: "rules list",
    usage: "",
    summary: "the rules in force, where each came from, what it watches",
    load: async () => (await import("./rules-list.ts")).rulesListCommand,
  },
  {
    name: "rules test",
    usage: "[file|-]",
    summary: "which rules fire on a text or a session, and exactly where; exit 3 if one does",
    load: async () => (await import("./rules-test.ts")).rulesTestCommand,
  },
  {
    name: "rules filter",
    usage: "",
    summary: "stdin to stdout through the rules",
    load: async () => (await import("./rules-filter.ts")).rulesFilterCommand,
  },
  {
    name: "rules init",
    usage: "",
    summary: "write two example rules into .agent/rules",
    load: async () => (await import("./rules-init.ts")).rulesInitCommand,
  },
  {
    name: "session list",
    usage: "",
    summary: "sessions in the store (--all, --from <tool>)",
    load: async () => (await import("./session-list.ts")).sessionListCommand,
  },
  {
    name: "session show",
    usage: "<session>",
    summary: "a session for reading (--branch, --all, --entry <id>)",
    load: async () => (await import("./session-show.ts")).sessionShowCommand,
  },
  {
    name: "session check",
    usage: "<session>",
    summary: "verify a session file line by line; exit 3 on damage",
    load: async () => (await import("./session-check.ts")).sessionCheckCommand,
  },
  {
    name: "session convert",
    usage: "<file>",
    summary: "any known agent's session → our JSONL on stdout",
    load: async () => (await import("./session-convert.ts")).sessionConvertCommand,
  },
  {
    name: "session stats",
    usage: "<session>",
    summary: "counts, tokens, files, commands",
    load: async () => (await import("./session-stats.ts")).sessionStatsCommand,
  },
  {
    name: "models",
    usage: "",
    summary: "models the server has, with context length and capabilities",
    load: async () => (await import("./models.ts")).modelsCommand,
  },
  {
    name: "doctor",
    usage: "",
    summary: "is everything in place? one line a check",
    load: async () => (await import("./doctor.ts")).doctorCommand,
  },
  {
    name: "config",
    usage: "",
    summary: "the merged settings and where each value came from",
    load: async () => (await import("./config.ts")).configCommand,
  },
  {
    name: "completions",
    usage: "<bash|zsh|fish>",
    summary: "a completion script for a shell",
    load: async () => (await import("./completions.ts")).completionsCommand,
  },
];
