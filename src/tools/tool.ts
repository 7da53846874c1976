// What a tool is: a description for the model and a function that runs one call. Each built-in tool has a file here,
// with its description beside it.

import type { JsonObject } from "../base/json.ts";
import type { ContentBlock } from "../model/messages.ts";
import type { ToolSpec } from "../model/model.ts";
import type { PermissionKind } from "./permissions/permissions.ts";

/** What a call gave. `content` goes to the model; `details` is kept in the session for people and programs. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly details?: JsonObject;
  /** Set when a permission was missing; the loop tells the caller. */
  readonly denied?: DeniedAccess;
}

/** What was denied: `reason` says why, `hint` which flag would grant it, if one would. */
export interface DeniedAccess {
  readonly permission: string;
  readonly target: string;
  readonly reason: string;
  readonly hint?: string;
}

/** One call, its arguments not checked yet. `update` takes output as it comes. */
export interface ToolCallRequest {
  readonly toolCallId: string;
  readonly arguments: JsonObject;
  readonly update: (delta: string) => void;
}

export interface Tool {
  readonly spec: ToolSpec;
  /** Changes nothing, so calls of one message may run side by side. */
  readonly readOnly: boolean;
  /**
   * Which argument holds the text being written and which its path, for rules that watch it (`write`, `edit`).
   * Rules see the arguments of other tools as their decoded strings.
   */
  readonly watched?: { readonly path: string; readonly text: readonly string[] };
  /** Never throws for a bad call: wrong arguments, a missing file or a denial is a result with `isError`. */
  run(call: ToolCallRequest, signal: AbortSignal): Promise<ToolResult>;
}

/** The tools of a run: those offered, and built-in ones that lack a grant (a call to them is a denial, not unknown). */
export interface ToolSet {
  readonly offered: readonly Tool[];
  readonly withheld: readonly WithheldTool[];
}

/** Why a tool is not offered, in words for the model and the caller; `hint`: what would grant it. */
export interface WithheldTool extends Pick<Tool, "watched"> {
  readonly name: string;
  readonly permission: PermissionKind;
  readonly reason: string;
  readonly hint?: string;
}

/** A result that is one text block. */
export function textResult(text: string, isError = false): ToolResult {
  return { content: [{ type: "text", text }], isError };
}
