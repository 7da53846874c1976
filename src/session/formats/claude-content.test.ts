import { expect, test } from "bun:test";
import { convertFixture, outline } from "../../testing/conversion.ts";

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
