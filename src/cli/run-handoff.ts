// `/handoff` in the prompt of `agent run`: the same as `agent handoff`, with the flags that both commands have.

import { AppError } from "../base/errors.ts";
import type { CommandContext, ParsedFlags } from "./command.ts";
import { MODEL_FLAGS } from "./model-flags.ts";
import { RULE_FLAGS } from "./rule-flags.ts";
import { SESSION_FLAGS } from "./run-flags.ts";
import type { RunReport } from "./run-report.ts";
import { checkSessionFlags } from "./run-session.ts";

/** Flags of `run` that `handoff` takes in the same meaning. */
const SHARED: ReadonlySet<string> = new Set(
  [...MODEL_FLAGS, ...RULE_FLAGS, ...SESSION_FLAGS]
    .map(({ name }) => name)
    .concat("no-stdin")
    .filter((name) => !["session", "continue", "fork", "name"].includes(name)),
);

/** Writes the document, as `agent handoff` would; where the output is a record of `run`, the record alone has it. */
export async function runHandoffPrompt(
  context: CommandContext,
  report: RunReport,
  focus: string,
): Promise<void> {
  checkSessionFlags(context.flags);
  const session = sessionArgument(context.flags);
  if (session === undefined) throw new AppError("nothing", "Nothing to hand off (no messages yet)");
  const [{ handOff }, { handoffReport }] = await Promise.all([
    import("./handoff-command.ts"),
    import("./handoff-result.ts"),
  ]);
  const output = context.flags.text("output");
  const { io } = context;
  const isRecord = output === "json" || output === "jsonl";
  report.handoff = handoffReport();
  const handoff = {
    ...context,
    args: [session],
    flags: handoffFlags(context.flags, { focus, output: output === "session" ? "session" : "md" }),
    io: isRecord ? { ...io, stdout: { ...io.stdout, write: async () => {} } } : io,
  };
  await handOff(handoff, report.handoff);
}

/** A fork would leave the old session as it is; a handoff is recorded in it, and makes a new one in any case. */
function sessionArgument(flags: ParsedFlags): string | undefined {
  if (flags.has("fork"))
    throw new AppError("usage", "--fork and /handoff exclude each other", {
      hint: "Name the session with --session: the handoff starts a new one by itself.",
    });
  return flags.has("continue") ? "latest" : flags.text("session");
}

/** What `handoff` sees: shared flags as they were given, its own at their defaults but for `own`. */
function handoffFlags(flags: ParsedFlags, own: Readonly<Record<string, string>>): ParsedFlags {
  const text = (name: string) => own[name] || (SHARED.has(name) ? flags.text(name) : undefined);
  return {
    has: (name) => (own[name] ?? "") !== "" || (SHARED.has(name) && flags.has(name)),
    text,
    list: (name) => (SHARED.has(name) ? flags.list(name) : []),
    integer: (name) => (SHARED.has(name) ? flags.integer(name) : undefined),
    duration: (name) => (SHARED.has(name) ? flags.duration(name) : undefined),
  };
}
