import { expect, test } from "bun:test";
import { convertBytes, convertFixture, jsonLines, outline } from "../../testing/conversion.ts";

test("claude: an image that stands twice is kept once; documents and encrypted thinking are counted", async () => {
  const { entries, report } = await convertFixture("claude-images.jsonl");
  expect(outline(entries)).toEqual([
    "custom git",
    "user: What is on this picture? + <image/png, 96> + [document, application/pdf, about 9 bytes, left out]",
    "model anthropic/claude-opus-4-7",
    'assistant, toolUse: Read toolu_i {"file_path":"/srv/kettle/photo.png"}',
    "result of Read toolu_i: <image/png, 96>",
    'assistant, stop: web_search srvtoolu_1 {"query":"kettle"} + A kettle.',
    "result of web_search srvtoolu_1: Kettles https://kettles.example.org",
  ]);
  expect(JSON.stringify(entries).split("iVBORw0KGgo")).toHaveLength(3);
  expect(report.counted).toEqual([
    { kind: "block:document", reason: "no place", count: 1 },
    { kind: "block:redacted_thinking", reason: "no place", count: 1 },
  ]);
});

test("claude: a line of megabytes is read like any other", async () => {
  const data = "iVBORw0KGgo".repeat(200_000);
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
  const line = (uuid: string, content: unknown) => ({
    ...{ type: "user", sessionId: "s", cwd: "/srv", uuid, timestamp: "2026-01-01T00:00:00Z" },
    message: { role: "user", content },
  });
  const { entries, report } = await convertBytes(jsonLines(line("a", [image]), line("b", "What is it?")));
  expect([outline(entries), report.problems]).toEqual([
    [`user: <image/png, ${data.length}>`, "user: What is it?"],
    [],
  ]);
});
