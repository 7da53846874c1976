// The task list at its last state, from whichever tool keeps it, else from a check list in the assistant's own text.

import type { ToolCallBlock, ToolResultMessage } from "../../model/messages.ts";
import { type Task, type TaskChange, taskChangeOf } from "../../session/task-list.ts";
import type { Redact } from "../redact.ts";
import { clip } from "./clip.ts";
import type { TaskFact, TaskState } from "./facts.ts";

const TASK_LENGTH = 200;
/** Kept until the end, so that a secret is seen whole. */
const RAW_LENGTH = 1000;
const STATES = {
  pending: "pending",
  in_progress: "inProgress",
  completed: "done",
  cancelled: "cancelled",
} as const;
const ORDER: readonly TaskState[] = ["inProgress", "pending", "done", "cancelled"];

export interface TaskCollector {
  /** A call that succeeded; those that keep no tasks change nothing. */
  call(call: ToolCallBlock, result: ToolResultMessage, entryId: string): void;
  /** A text of the assistant; its check list counts only where no tool keeps tasks. */
  text(text: string, entryId: string): void;
  /** What is being done, then what is open, then what is done, then what was dropped. */
  facts(): readonly TaskFact[];
}

export function createTaskCollector(redact: Redact): TaskCollector {
  const fromTool = new Map<string, TaskFact>();
  let fromText: readonly TaskFact[] = [];
  return {
    call(call, result, entryId) {
      const change = taskChangeOf(call, result);
      if (change !== undefined) apply(fromTool, change, entryId);
    },
    text(text, entryId) {
      const list = checkList(text, entryId);
      if (list.length > 1) fromText = list;
    },
    facts() {
      const facts = fromTool.size > 0 ? [...fromTool.values()] : fromText;
      return ORDER.flatMap((state) => facts.filter((fact) => fact.state === state)).map((fact) => ({
        ...fact,
        text: clip(redact(fact.text), TASK_LENGTH),
      }));
    },
  };
}

function apply(tasks: Map<string, TaskFact>, change: TaskChange, entryId: string): void {
  switch (change.kind) {
    case "replace": {
      const before = [...tasks.values()];
      tasks.clear();
      for (const [index, task] of change.tasks.entries())
        tasks.set(String(index + 1), unchanged(before, task) ?? factOf(task, entryId));
      return;
    }
    case "add":
      tasks.set(change.id ?? String(tasks.size + 1), factOf(change.task, entryId));
      return;
    case "update": {
      const task = tasks.get(change.id);
      if (task === undefined) return;
      if (change.status === "deleted") tasks.delete(change.id);
      else {
        tasks.set(change.id, {
          text: change.text === undefined ? task.text : clip(change.text, RAW_LENGTH),
          state: change.status === undefined ? task.state : STATES[change.status],
          entryId,
        });
      }
    }
  }
}

function factOf(task: Task, entryId: string): TaskFact {
  return { text: clip(task.text, RAW_LENGTH), state: STATES[task.status], entryId };
}

/** A list is sent whole each time: a task that stayed as it was keeps the entry that made it so. */
function unchanged(before: readonly TaskFact[], task: Task): TaskFact | undefined {
  const text = clip(task.text, RAW_LENGTH);
  return before.find((fact) => fact.text === text && fact.state === STATES[task.status]);
}

function checkList(text: string, entryId: string): readonly TaskFact[] {
  if (!/\[[ xX~]\]/.test(text)) return [];
  return [...text.matchAll(/^\s*(?:[-*+]|\d+[.)])\s+\[([ xX~])\]\s+(.+)$/gm)].map(
    ([, mark = " ", words = ""]) => ({
      text: clip(words, RAW_LENGTH),
      state: mark.toLowerCase() === "x" ? "done" : mark === " " ? "pending" : "inProgress",
      entryId,
    }),
  );
}
