import { expect, test } from "bun:test";
import { convertFixture, outline } from "../../testing/conversion.ts";

test("codex-v2: bare items; the directory comes from the environment block", async () => {
  const { header, entries, report } = await convertFixture("codex-v2.jsonl");
  expect([header.id, header.cwd]).toEqual(["55555555-6666-4777-8888-999999999999", "/srv/loom"]);
  expect(outline(entries)).toEqual([
    "custom git",
    "injected codex:environment_context: <environment_context>\nCurrent working directory: /srv/loom\nApproval policy: on-request\n</environment_context>",
    "user: Weave a test.",
    'assistant, toolUse: (Think of threads.) + shell call_w {"command":["ls","-la"]}',
    "result of shell call_w: loom.ts\n",
    "assistant, stop: Woven.",
  ]);
  expect(report.counted).toEqual([{ kind: "record:state", reason: "bookkeeping", count: 3 }]);
});

test("codex-v1: one object, with response items", async () => {
  const { header, entries } = await convertFixture("codex-v1.json");
  expect([header.id, header.timestamp]).toEqual([
    "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee",
    "2025-05-01T08:00:00.000Z",
  ]);
  expect(outline(entries)).toEqual([
    "user: Count the beans.",
    'assistant, toolUse: shell call_b {"command":["wc","-l","beans.txt"]}',
    "result of shell call_b, failed: wc: beans.txt: No such file\n",
    "assistant, stop: There is no file of beans.",
  ]);
});

test("codex-v1: one object, with chat messages", async () => {
  const { entries } = await convertFixture("codex-v1-chat.json");
  expect(outline(entries)).toEqual([
    "injected codex:system: You count.",
    "user: Count the peas.",
    'assistant, toolUse: shell call_p {"command":["ls"]}',
    "result of shell call_p: peas.txt",
    "assistant, stop: One file of peas.",
  ]);
});
