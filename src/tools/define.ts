// Makes a tool of a description, a schema and a function: arguments are checked before it runs, and whatever expected
// failure it throws becomes a result for the model.

import { codeOf } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { isSystemCode, reasonOf } from "../base/system-error.ts";
import type { ArgumentCheck } from "./arguments.ts";
import { FileError } from "./files/open.ts";
import { DeniedError } from "./permissions/permissions.ts";
import { type Tool, type ToolCallRequest, type ToolResult, textResult } from "./tool.ts";

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of type `object`. */
  readonly parameters: JsonObject;
  readonly readOnly: boolean;
  readonly watched?: Tool["watched"];
  /** What the call does, for messages: `read src/a.ts`. */
  doing(args: JsonObject): string;
  /** May throw `DeniedError`, `FileError` or an error of the system. The arguments are checked and coerced. */
  run(args: JsonObject, call: ToolCall): Promise<ToolResult>;
}

export type ToolCall = Pick<ToolCallRequest, "toolCallId" | "update"> & { readonly signal: AbortSignal };

/** The schema is compiled, and what compiles it loaded, at the first call: many runs have none. */
export function defineTool(definition: ToolDefinition): Tool {
  const { name, description, parameters, readOnly, watched } = definition;
  let check: ArgumentCheck | undefined;
  return {
    spec: { name, description: description.trim(), parameters },
    readOnly,
    ...(watched === undefined ? {} : { watched }),
    async run(request, signal) {
      check ??= await (await import("./arguments.ts")).buildArgumentCheck(parameters);
      const checked = check(request.arguments);
      if (!checked.ok) return textResult(`Cannot call ${name}: ${checked.problem}`, true);
      if (signal.aborted) return textResult(`${name} was not run: the run was ended`, true);
      const { toolCallId, update } = request;
      try {
        return await definition.run(checked.arguments, { toolCallId, update, signal });
      } catch (error) {
        return failureResult(error, definition.doing(checked.arguments));
      }
    },
  };
}

/** The result of an expected failure. Anything else is a bug, and thrown again. */
function failureResult(error: unknown, doing: string): ToolResult {
  if (error instanceof DeniedError) {
    return { ...textResult(error.message, true), denied: error.denial };
  }
  if (error instanceof FileError) return textResult(`Cannot ${doing}: ${error.message}`, true);
  const code = codeOf(error);
  if (code === undefined || !isSystemCode(code)) throw error;
  return textResult(`Cannot ${doing}: ${reasonOf(error)}`, true);
}
