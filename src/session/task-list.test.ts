import { expect, test } from "bun:test";
import type { JsonObject } from "../base/json.ts";
import { taskChangeOf } from "./task-list.ts";

const change = (name: string, args: JsonObject, result?: { text: string; details?: unknown }) =>
  taskChangeOf(
    { type: "toolCall", id: "c1", name, arguments: args },
    result && {
      role: "toolResult",
      toolCallId: "c1",
      toolName: name,
      content: [{ type: "text", text: result.text }],
      isError: false,
      details: result.details,
      timestamp: 0,
    },
  );

test("taskChangeOf() reads whole lists in each agent's words", () => {
  const tasks = [
    { text: "write the parser", status: "completed" as const },
    { text: "test it", status: "in_progress" as const },
    { text: "document it", status: "pending" as const },
  ];
  const whole = { kind: "replace" as const, tasks };
  const [a, b, c] = tasks;
  expect([
    change("TodoWrite", {
      todos: tasks.map(({ text, status }) => ({ content: text, status, activeForm: "…" })),
    }),
    change("update_plan", { plan: tasks.map(({ text, status }) => ({ step: text, status })) }),
    change("write_todos", { todos: tasks.map(({ text, status }) => ({ description: text, status })) }),
    change(
      "todo",
      { op: "x" },
      {
        text: "",
        details: {
          phases: [{ name: "I", tasks: [a, b] }, { tasks: [c] }].map((phase) => ({
            ...phase,
            tasks: phase.tasks.map((task) => ({ content: task?.text, status: task?.status })),
          })),
        },
      },
    ),
  ]).toEqual([whole, whole, whole, whole]);
});

test("taskChangeOf() takes a blocked task for pending, a dropped one for cancelled", () => {
  const todos = ["blocked", "abandoned"].map((status) => ({ content: status, status }));
  expect(change("TodoWrite", { todos })).toMatchObject({
    tasks: [{ status: "pending" }, { status: "cancelled" }],
  });
});

test("taskChangeOf() reads a checklist text", () => {
  expect(change("update_todo", { todos: "- [x] one\n- [ ] two" })).toEqual({
    kind: "replace",
    tasks: [
      { text: "one", status: "completed" },
      { text: "two", status: "pending" },
    ],
  });
});

test("taskChangeOf() reads single tasks, their id from the result", () => {
  expect([
    change(
      "TaskCreate",
      { subject: "fix the build", description: "…" },
      { text: "Task #4 created successfully: fix the build" },
    ),
    change("TaskUpdate", { taskId: "4", status: "completed" }),
    change("TaskUpdate", { taskId: "4", status: "deleted" }),
  ]).toEqual([
    { kind: "add", id: "4", task: { text: "fix the build", status: "pending" } },
    { kind: "update", id: "4", text: undefined, status: "completed" },
    { kind: "update", id: "4", text: undefined, status: "deleted" },
  ]);
});

test("taskChangeOf() gives nothing for reads, for other tools and for malformed lists", () => {
  expect([
    change("TaskList", {}),
    change("Bash", { todos: [{ content: "x" }] }),
    change("TodoWrite", { todos: "later" }),
  ]).toEqual([undefined, undefined, undefined]);
});

test("taskChangeOf() comes to an end with a checklist of a quarter of a million blanks", () => {
  const blanks = (char: string) => char.repeat(250_000);
  const tasks = [{ text: "one", status: "pending" as const }];
  expect(change("update_todo", { todos: `${blanks("\n")}  - [ ] one${blanks(" ")}` })).toEqual({
    kind: "replace",
    tasks,
  });
});
