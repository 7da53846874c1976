// Task lists as agents keep them with their todo tools: what a call sets, and the whole list where a result tells it.

import { arrayAt, isObject, type JsonObject, stringAt } from "../base/json.ts";
import type { ToolCallBlock, ToolResultMessage } from "../model/messages.ts";
import { toolKindOf } from "./tool-kinds.ts";

export interface Task {
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed" | "cancelled";
}

/** `replace`: the list as a whole. `add`, `update`: one task, by the id that the agent gave it where it has one. */
export type TaskChange =
  | { readonly kind: "replace"; readonly tasks: readonly Task[] }
  | { readonly kind: "add"; readonly id: string | undefined; readonly task: Task }
  | {
      readonly kind: "update";
      readonly id: string;
      readonly text: string | undefined;
      readonly status: Task["status"] | "deleted" | undefined;
    };

/** What a call of a todo tool did to the task list; undefined for other calls and for those that only read it. */
export function taskChangeOf(
  call: ToolCallBlock,
  result: ToolResultMessage | undefined,
): TaskChange | undefined {
  if (toolKindOf(call.name) !== "todo") return undefined;
  const whole = tasksIn(result?.details) ?? tasksIn(call.arguments);
  if (whole !== undefined) return { kind: "replace", tasks: whole };
  const args = call.arguments;
  const text = stringAt(args, "subject") ?? stringAt(args, "content");
  const id = stringAt(args, "taskId") ?? stringAt(args, "id");
  const status = stringAt(args, "status");
  if (id !== undefined) {
    const known = status === "deleted" ? status : status === undefined ? undefined : statusOf(status);
    return { kind: "update", id, text, status: known };
  }
  if (text === undefined) return undefined;
  return { kind: "add", id: idInResult(result), task: { text, status: statusOf(status ?? "pending") } };
}

/** Members that hold a whole list, in arguments and in details; `phases` and `ops` nest further. */
const LIST_KEYS = ["newTodos", "todos", "plan", "todoList", "items", "tasks"];

function tasksIn(value: unknown): readonly Task[] | undefined {
  if (!isObject(value)) return undefined;
  const phases = arrayAt(value, "phases");
  if (phases !== undefined) return phases.flatMap((phase) => tasksIn(phase) ?? []);
  for (const key of LIST_KEYS) {
    const list = arrayAt(value, key);
    if (list !== undefined) return list.flatMap(taskOf);
    const text = stringAt(value, key);
    if (text !== undefined && /^[ \t]*[-*] \[[ xX]\]/m.test(text)) return checklist(text);
  }
  const replacing = (arrayAt(value, "ops") ?? []).find((op) => isObject(op) && op["op"] === "replace");
  return replacing === undefined ? undefined : tasksIn(replacing);
}

function taskOf(value: unknown): readonly Task[] {
  if (typeof value === "string") return [{ text: value, status: "pending" }];
  if (!isObject(value)) return [];
  const text = TEXT_KEYS.map((key) => stringAt(value, key)).find(
    (found) => found !== undefined && found !== "",
  );
  return text === undefined ? [] : [{ text, status: statusIn(value) }];
}

const TEXT_KEYS = ["content", "step", "description", "title", "subject", "text", "task"];

function statusIn(value: JsonObject): Task["status"] {
  if (value["done"] === true || value["completed"] === true) return "completed";
  return statusOf(stringAt(value, "status") ?? stringAt(value, "state") ?? "pending");
}

function statusOf(text: string): Task["status"] {
  const word = text.toLowerCase().replace(/[-\s]/g, "_");
  if (["completed", "complete", "done", "closed"].includes(word)) return "completed";
  if (["in_progress", "inprogress", "active", "started", "doing"].includes(word)) return "in_progress";
  if (["cancelled", "canceled", "abandoned", "dropped", "deleted"].includes(word)) return "cancelled";
  return "pending";
}

function checklist(text: string): readonly Task[] {
  return [...text.matchAll(/^[ \t]*[-*] \[([ xX])\] (.*\S)/gm)].map(([, mark, task = ""]) => ({
    text: task,
    status: mark === " " ? "pending" : "completed",
  }));
}

/** Claude Code answers `Task #3 created successfully: …`. */
function idInResult(result: ToolResultMessage | undefined): string | undefined {
  const first = result?.content[0];
  return first?.type === "text" ? /^Task #(\S+) created/.exec(first.text)?.[1] : undefined;
}
