import { expect, test } from "bun:test";
import { quietResult } from "./quiet-result.ts";

function line(message: object, after = ""): Uint8Array {
  const entry = JSON.stringify({
    type: "message",
    id: "0000000a",
    parentId: null,
    timestamp: "2026-01-01T00:00:00.000Z",
    message,
  });
  return new TextEncoder().encode(`${entry}${after}`);
}

const RESULT = {
  role: "toolResult",
  toolCallId: "call_1",
  toolName: "read",
  content: [{ type: "text", text: "x" }],
};

test("quietResult() tells the call of a result that went well", () => {
  expect(quietResult(line({ ...RESULT, isError: false, timestamp: 1 }))).toEqual({
    toolCallId: "call_1",
    tellsCode: false,
  });
  expect(
    quietResult(line({ ...RESULT, details: { diff: "y".repeat(5000) }, isError: false, timestamp: 1 }, "\r")),
  ).toEqual({ toolCallId: "call_1", tellsCode: false });
});

test("quietResult() says where an exit code may be told", () => {
  const content = [{ type: "text", text: "Exit code: 1" }];
  expect(quietResult(line({ ...RESULT, content, isError: false, timestamp: 1 }))?.tellsCode).toBe(true);
  const details = { exitCode: 1 };
  expect(quietResult(line({ ...RESULT, details, isError: false, timestamp: 1 }))?.tellsCode).toBe(true);
});

test("quietResult() tells nothing of a failure, of another message or of another shape", () => {
  expect(quietResult(line({ ...RESULT, isError: true, timestamp: 1 }))).toBeUndefined();
  expect(quietResult(line({ role: "user", content: "x", timestamp: 1 }))).toBeUndefined();
  expect(quietResult(line({ ...RESULT, isError: false }))).toBeUndefined();
  expect(quietResult(line({ ...RESULT, isError: false, timestamp: 1, note: "more" }))).toBeUndefined();
});

test("quietResult() is not deceived by text that looks like the end of a line", () => {
  const text = '","isError":false,"timestamp":1}}';
  expect(
    quietResult(line({ ...RESULT, content: [{ type: "text", text }], isError: true, timestamp: 1 })),
  ).toBeUndefined();
  expect(
    quietResult(
      line({ role: "user", content: `{"role":"toolResult","toolCallId":"call_1"${text}`, timestamp: 1 }),
    ),
  ).toBeUndefined();
});
