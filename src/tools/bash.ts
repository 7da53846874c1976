// The tool that runs a command: contained, bounded in time and output, and judged first where programs are limited.

import { numberAt, stringAt } from "../base/json.ts";
import { plural } from "../base/text.ts";
import description from "./bash.md" with { type: "text" };
import background from "./bash-background.md" with { type: "text" };
import limited from "./bash-limited.md" with { type: "text" };
import confined from "./bash-sandbox.md" with { type: "text" };
import { type CommandPlan, planCommand } from "./command-plan.ts";
import { defineTool, type ToolCall } from "./define.ts";
import { type OutputCollector, outputCollector } from "./output.ts";
import { judgeCommand } from "./permissions/command.ts";
import { decide } from "./permissions/decide.ts";
import { DeniedError, type Permissions } from "./permissions/permissions.ts";
import { cleanEnvironment, limitedEnvironment } from "./process/environment.ts";
import { findSystemProgram } from "./process/find-program.ts";
import { type ProgramEnd, runProgram } from "./process/run.ts";
import { sandboxed } from "./process/sandbox.ts";
import { type Tool, type ToolResult, textResult } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

const DEFAULT_TIMEOUT_S = 120;

export interface BashOptions {
  /** Run inside bubblewrap. */
  readonly sandbox: boolean;
}

export function bashTool(workspace: Workspace, options: BashOptions): Tool {
  return defineTool({
    name: "bash",
    description: describeBash(workspace.permissions, options),
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", description: "the command line" },
        timeout: { type: "number", exclusiveMinimum: 0, description: "seconds; default 120" },
      },
      required: ["command"],
      additionalProperties: false,
    },
    readOnly: false,
    doing: () => "run the command",
    run: async (args, call) => {
      const command = stringAt(args, "command") ?? "";
      const timeoutS = numberAt(args, "timeout") ?? DEFAULT_TIMEOUT_S;
      using plan = planFor(workspace, command);
      return await runShell(plan, { workspace, options, timeoutS, call });
    },
  });
}

/** The description says what the permissions leave of the shell, so that the model need not find out by denials. */
function describeBash(permissions: Permissions, { sandbox }: BashOptions): string {
  const { run, denyRun, net } = permissions;
  const names = run === "all" ? `all but ${list(denyRun)}` : list(run);
  const parts = [
    description.trim(),
    sandbox
      ? confined.trim().replace("NETWORK", net ? "the network can be used" : "there is no network")
      : background.trim(),
    ...(isLimited(permissions) ? [limited.trim().replace("PROGRAMS", names)] : []),
  ];
  return parts.join("\n");
}

function list(names: Permissions["run"]): string {
  return names === "all" ? "all" : names.join(", ");
}

function isLimited({ run, denyRun }: Permissions): boolean {
  return run !== "all" || denyRun.length > 0;
}

/** What the shell is given: the text as it is where any program may run, else only what was understood of it. */
function planFor(workspace: Workspace, command: string): CommandPlan {
  const { permissions } = workspace;
  const denial = decide(permissions, { permission: "run", command });
  if (denial !== undefined) throw new DeniedError(denial);
  if (!isLimited(permissions)) {
    const { realCwd: cwd } = workspace;
    return { script: command, cwd, environment: {}, descriptors: [], [Symbol.dispose]: () => {} };
  }
  const judged = judgeCommand(command, { allow: permissions.run, deny: permissions.denyRun });
  if (!judged.ok) throw new DeniedError({ permission: "run", ...judged });
  return planCommand(workspace, judged, cleanEnvironment(workspace.env, permissions.env)["PATH"] ?? "");
}

interface ShellRun {
  readonly workspace: Workspace;
  readonly options: BashOptions;
  readonly timeoutS: number;
  readonly call: ToolCall;
}

async function runShell(
  plan: CommandPlan,
  { workspace, options, timeoutS, call }: ShellRun,
): Promise<ToolResult> {
  const output = outputCollector(workspace.spill, "bash");
  const give = (text: string) => {
    output.push(text);
    call.update(text);
  };
  const clean = cleanEnvironment(workspace.env, workspace.permissions.env);
  const shell = findSystemProgram("bash", clean["PATH"] ?? "") ?? "/bin/sh";
  const command = [shell, "-c", plan.script];
  using box = options.sandbox ? sandboxed(command, { ...workspace, start: plan.cwd }) : undefined;
  workspace.processes.start();
  const end = await runProgram({
    command: box?.command ?? command,
    cwd: plan.cwd,
    env: isLimited(workspace.permissions)
      ? { ...limitedEnvironment(clean, workspace), ...plan.environment }
      : clean,
    runMarker: workspace.processes.marker,
    descriptors: plan.descriptors,
    timeoutMs: timeoutS * 1000,
    signal: call.signal,
    // Inside the sandbox the kernel ends what the command leaves behind.
    keepBackground: !options.sandbox,
    onStdout: give,
  });
  return resultOf(end, output, timeoutS);
}

function resultOf(end: ProgramEnd, output: OutputCollector, timeoutS: number): ToolResult {
  const { text, truncated, totalBytes, path } = output.finish();
  const notes = notesOf(end, timeoutS);
  const parts = [text === "" && notes.length === 0 ? "(no output)" : text.replace(/\n$/, ""), ...notes];
  return {
    ...textResult(parts.filter((part) => part !== "").join("\n"), end.how !== "exited" || end.code !== 0),
    details: {
      ...(end.code === undefined ? {} : { exitCode: end.code }),
      ...(end.signal === undefined ? {} : { signal: end.signal }),
      durationMs: end.durationMs,
      timedOut: end.how === "timeout",
      aborted: end.how === "aborted",
      truncated,
      outputBytes: totalBytes,
      ...(path === undefined ? {} : { fullOutputPath: path }),
      ...(end.background.length === 0 ? {} : { background: end.background }),
    },
  };
}

function notesOf(end: ProgramEnd, timeoutS: number): readonly string[] {
  switch (end.how) {
    case "unstartable":
      return [`The shell could not be started: ${end.reason}`];
    case "timeout":
      return [`Command timed out after ${plural(timeoutS, "second")}; it and all that it started were ended`];
    case "aborted":
      return ["Command was ended with the run"];
    case "exited": {
      const background =
        end.background.length === 0 ? [] : [`Still running in the background: ${end.background.join(", ")}`];
      if (end.code === 0) return background;
      const signal = end.signal === undefined ? "" : ` (${end.signal})`;
      return [...background, `Command exited with code ${end.code}${signal}`];
    }
  }
}
