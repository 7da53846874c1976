// A tool call in one line: what it was aimed at, and how it ended.

import { oneLine, plural } from "../base/text.ts";
import { type ToolCallBlock, type ToolResultMessage, textOf } from "../model/messages.ts";
import { exitStatusOf } from "../session/exit-status.ts";
import { toolTarget } from "../session/tool-target.ts";

const TARGET_LENGTH = 100;

/** The command, the paths, the query: what a reader wants to know of a call. */
export function callTarget(call: ToolCallBlock): string {
  const target = toolTarget(call);
  const text = () => {
    switch (target.kind) {
      case "shell":
        return target.command;
      case "read":
      case "write":
        return target.paths.join(", ");
      case "edit":
        return target.changes
          .map(({ path, to }) => (to === undefined ? path : `${path} to ${to}`))
          .join(", ");
      case "search":
        return [target.query, ...target.paths].filter((part) => part !== undefined).join(" in ");
      case "web":
        return target.address;
      case "subagent":
        return target.task;
      case "todo":
      case "other":
        return undefined;
    }
  };
  const found = text();
  return oneLine(found === undefined || found === "" ? argumentsText(call) : found, TARGET_LENGTH);
}

function argumentsText(call: ToolCallBlock): string {
  return Object.keys(call.arguments).length === 0 ? "" : JSON.stringify(call.arguments);
}

export interface CallOutcome {
  readonly ok: boolean;
  /** `12 lines`, `exit 1`, `no result`. */
  readonly text: string;
  /** The first lines of what went wrong; empty for what went well. */
  readonly error: string;
}

const ERROR_LINES = 3;

/** How a call ended. */
export function callOutcome(result: ToolResultMessage | undefined): CallOutcome {
  if (result === undefined) return { ok: false, text: "no result", error: "" };
  const text = textOf(result.content).trimEnd();
  const images = result.content.filter((block) => block.type === "image").length;
  const size = [
    ...(text === "" && images > 0 ? [] : [plural(text === "" ? 0 : text.split("\n").length, "line")]),
    ...(images === 0 ? [] : [plural(images, "image")]),
  ].join(", ");
  const { code, ok } = exitStatusOf(result);
  const failed = result.isError || ok === false;
  if (!failed) return { ok: true, text: size, error: "" };
  const error = text.split("\n").slice(0, ERROR_LINES).join("\n");
  return { ok: false, text: `${code === undefined ? "failed" : `exit ${code}`}, ${size}`, error };
}
