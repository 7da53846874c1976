import { expect, test } from "bun:test";
import { exitStatusOf } from "./exit-status.ts";

const status = (text: string, more: { isError?: boolean; details?: unknown } = {}) =>
  exitStatusOf({
    role: "toolResult",
    toolCallId: "c1",
    toolName: "bash",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 0,
    ...more,
  });

test("exitStatusOf() finds the exit code in each agent's words", () => {
  const rows: [string, number][] = [
    ["Exit code 2\nsrc/a.ts(1,1): error", 2],
    ["Exit code: 0\nWall time: 0.1 seconds\nOutput:\nok", 0],
    ["Chunk ID: 3f\nWall time: 0.2 seconds\nProcess exited with code 101\nOutput:\nerror", 101],
    ['{"output":"no such file\\n","metadata":{"exit_code":1,"duration_seconds":0.1}}', 1],
    ["FAIL a.test.ts\n\nCommand exited with code 1", 1],
    ["a\nb\n<exited with exit code 137>", 137],
    ["a\n<command with shellId: 4 exited with exit code 3>", 3],
    ["Output: nothing\nExit Code: 127\nSignal: (none)", 127],
  ];
  expect(rows.map(([text]) => status(text).code)).toEqual(rows.map(([, code]) => code));
});

test("exitStatusOf() takes the details' code before any text", () => {
  expect([
    status("Exit code 1", { details: { exitCode: 0 } }),
    status("fine", { details: { metadata: { exit: 4 } } }),
  ]).toEqual([
    { code: 0, ok: true },
    { code: 4, ok: false },
  ]);
});

test("exitStatusOf() does not take a sentence inside the output for the status", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  lines[15] = "Exit code 1";
  expect(status(lines.join("\n"))).toEqual({ code: undefined, ok: true });
});

test("exitStatusOf() says only whether it failed when no code is told, and nothing while it still runs", () => {
  expect([
    status("The user did not want this", { isError: true }),
    status("done"),
    status("Process running with session ID 12"),
    status("Command running in background with ID: b1"),
  ]).toEqual([
    { code: undefined, ok: false },
    { code: undefined, ok: true },
    { code: undefined, ok: undefined },
    { code: undefined, ok: undefined },
  ]);
});

test("exitStatusOf() reads commands that the user ran", () => {
  const run = { role: "bashExecution" as const, command: "ls", output: "", truncated: false, timestamp: 0 };
  expect([
    exitStatusOf({ ...run, exitCode: 2, cancelled: false }),
    exitStatusOf({ ...run, cancelled: true }),
    exitStatusOf({ ...run, cancelled: false }),
  ]).toEqual([
    { code: 2, ok: false },
    { code: undefined, ok: false },
    { code: undefined, ok: undefined },
  ]);
});
