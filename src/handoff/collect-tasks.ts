// The task list at its last state, from whichever tool keeps it.

import { arrayAt, isObject, type JsonObject, stringAt } from "../base/json.ts";
import type { ToolCallBlock } from "../model/messages.ts";
import { clip } from "./clip.ts";
import type { TaskFact, TaskState } from "./facts.ts";

const TASK_TOOL = /^(?:todo_?write|todo_?read|todo|todos|update_?plan|write_?todos|update_?todos?|manage_?todo_?list|plan|task_?list|set_?plan|task_?create|task_?update)$/i;
const TASK_LENGTH = 200;

export interface TaskCollector {
  /** A call to a tool that keeps tasks, and the text of its result. Gives whether it was one. */
  call(call: ToolCallBlock, result: string, entryId: string): boolean;
  /** A text with a Markdown check list; used only if no tool keeps tasks. */
  text(text: string, entryId: string): void;
  facts(): readonly TaskFact[];
}

export function createTaskCollector(): TaskCollector {
  let fromTool = new Map<string, TaskFact>();
  let fromText: readonly TaskFact[] = [];
  return {
    call(call, result, entryId) {
      const name = call.name.replace(/^.*[.:]/, "");
      if (!TASK_TOOL.test(name)) return false;
      if (/create$/i.test(name)) addTask(fromTool, call.arguments, result, entryId);
      else if (/^task_?update$/i.test(name)) updateTask(fromTool, call.arguments, entryId);
      else fromTool = listOf(call.arguments, entryId) ?? fromTool;
      return true;
    },
    text(text, entryId) {
      const list = checkList(text, entryId);
      if (list.length > 1) fromText = list;
    },
    facts: () => {
      const facts = fromTool.size > 0 ? [...fromTool.values()] : fromText;
      const order: readonly TaskState[] = ["inProgress", "pending", "done", "cancelled"];
      return order.flatMap((state) => facts.filter((fact) => fact.state === state));
    },
  };
}

/** The whole list, as `todos`, `plan`, `items` or `tasks` of a call, or as phases that hold tasks. */
function listOf(args: JsonObject, entryId: string): Map<string, TaskFact> | undefined {
  const list = ["todos", "plan", "items", "tasks", "todoList", "todo_list", "steps"].map((key) => arrayAt(args, key)).find((value) => value !== undefined);
  const markdown = stringAt(args, "todos") ?? stringAt(args, "plan") ?? stringAt(args, "content");
  if (list === undefined) return markdown === undefined ? undefined : byIndex(checkList(markdown, entryId));
  const tasks = list.flatMap((item) => {
    const nested = isObject(item) ? arrayAt(item, "tasks") : undefined;
    return (nested ?? [item]).flatMap((one) => taskOf(one, entryId) ?? []);
  });
  return byIndex(tasks);
}

function byIndex(tasks: readonly TaskFact[]): Map<string, TaskFact> {
  return new Map(tasks.map((task, index) => [String(index + 1), task]));
}

function taskOf(value: unknown, entryId: string): TaskFact | undefined {
  if (!isObject(value)) return typeof value === "string" ? { text: clip(value, TASK_LENGTH), state: "pending", entryId } : undefined;
  const text = ["content", "step", "text", "title", "description", "task", "subject", "name"].map((key) => stringAt(value, key)).find((found) => found !== undefined && found !== "");
  if (text === undefined) return undefined;
  const state = value["done"] === true || value["completed"] === true ? "done" : stateOf(stringAt(value, "status") ?? stringAt(value, "state") ?? "");
  return { text: clip(text, TASK_LENGTH), state, entryId };
}

function stateOf(status: string): TaskState {
  const word = status.toLowerCase().replace(/[\s_-]/g, "");
  if (/^(?:completed?|done|finished|closed|resolved)$/.test(word)) return "done";
  if (/^(?:inprogress|active|doing|started|current|running)$/.test(word)) return "inProgress";
  return /^(?:cancell?ed|deleted|abandoned|skipped|dropped|removed)$/.test(word) ? "cancelled" : "pending";
}

/** A tool that adds one task at a time says its number in the result. */
function addTask(tasks: Map<string, TaskFact>, args: JsonObject, result: string, entryId: string): void {
  const task = taskOf(args, entryId);
  const number = /(?:Task |#)(\d+)/.exec(result)?.[1] ?? String(tasks.size + 1);
  if (task !== undefined) tasks.set(number, task);
}

function updateTask(tasks: Map<string, TaskFact>, args: JsonObject, entryId: string): void {
  const id = String(args["taskId"] ?? args["id"] ?? args["task_id"] ?? "");
  const task = tasks.get(id);
  if (task === undefined) return;
  const status = stringAt(args, "status");
  const subject = stringAt(args, "subject") ?? stringAt(args, "content");
  tasks.set(id, {
    text: subject === undefined ? task.text : clip(subject, TASK_LENGTH),
    state: status === undefined ? task.state : stateOf(status),
    entryId,
  });
}

function checkList(text: string, entryId: string): readonly TaskFact[] {
  if (!/\[[ xX~>-]\]/.test(text)) return [];
  return [...text.matchAll(/^\s*(?:[-*+]|\d+[.)])\s+\[([ xX~>-])\]\s+(.+)$/gm)].map(([, mark = " ", words = ""]) => ({
    text: clip(words, TASK_LENGTH),
    state: mark.toLowerCase() === "x" ? "done" : mark === " " ? "pending" : "inProgress",
    entryId,
  }));
}
