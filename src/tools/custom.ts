// Tools that are programs of the user's settings: arguments as JSON on stdin, the answer on stdout.

import { AppError } from "../base/errors.ts";
import { stringAt } from "../base/json.ts";
import { jsonText } from "../base/well-formed.ts";
import type { CustomToolSettings } from "../settings/settings.ts";
import { defineTool } from "./define.ts";
import { outputCollector } from "./output.ts";
import { cleanEnvironment } from "./process/environment.ts";
import { type ProgramEnd, runProgram } from "./process/run.ts";
import { type Tool, textResult } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

/** What a failing program says on stderr is shown up to here. */
const STDERR_LIMITS = { maxBytes: 4_000, maxLines: 40 };

/** Says to the program why it is called: `call`, or `session` for events (`onSession`). */
export const CALL_KIND = "AGENT_CALL";

/** Rejects with `AppError` (`settings`) for parameters that are no JSON Schema of an object. */
export async function customTool(workspace: Workspace, settings: CustomToolSettings): Promise<Tool> {
  const { name, description, parameters } = settings;
  if (stringAt(parameters, "type") !== "object")
    throw new AppError("settings", `Cannot use tool "${name}": its parameters need "type": "object"`);
  // A user's schema may be none, which is better said before the run than at the first call.
  const { requireSchema } = await import("./arguments.ts");
  await requireSchema(name, parameters);
  return defineTool({
    name,
    description,
    parameters,
    readOnly: false,
    doing: () => `run the tool ${name}`,
    run: async (args, call) => {
      const output = outputCollector(workspace.spill, name);
      const errors = outputCollector(workspace.spill, `${name}-stderr`, STDERR_LIMITS);
      workspace.processes.start();
      const end = await runProgram({
        command: settings.command,
        cwd: workspace.cwd,
        env: { ...cleanEnvironment(workspace.env, workspace.permissions.env), [CALL_KIND]: "call" },
        runMarker: workspace.processes.marker,
        input: `${jsonText(args)}\n`,
        timeoutMs: settings.timeoutMs,
        signal: call.signal,
        keepBackground: false,
        onStdout: (text) => {
          output.push(text);
          call.update(text);
        },
        onStderr: (text) => errors.push(text),
      });
      const { text, truncated } = output.finish();
      const failure = failureOf(end, settings);
      const said = failure === undefined ? "" : errors.finish().text.trim();
      const answer = text.replace(/\n$/, "");
      const parts = [answer, said, failure ?? ""].filter((part) => part !== "");
      const details = {
        ...(end.code === undefined ? {} : { exitCode: end.code }),
        durationMs: end.durationMs,
        truncated,
      };
      return {
        ...textResult(parts.length === 0 ? "(no answer)" : parts.join("\n"), failure !== undefined),
        details,
      };
    },
  });
}

/** Why a program failed, in one line; `undefined` if it did not. */
export function failureOf(end: ProgramEnd, settings: { readonly timeoutMs: number }): string | undefined {
  switch (end.how) {
    case "unstartable":
      return `The program could not be started: ${end.reason}`;
    case "timeout":
      return `The program was ended after ${settings.timeoutMs} ms`;
    case "aborted":
      return "The program was ended with the run";
    case "exited":
      return end.code === 0 ? undefined : `The program exited with code ${end.code}`;
  }
}
