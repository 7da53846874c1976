// Thinking tags and tool calls in the text of an answer. Each case is fed whole, and cut in two at every place, and
// character by character: the outcome must be the same.

import { deepEqual } from "node:assert/strict";
import type { Case } from "../../testing/cases.ts";
import { type TextPart, textCalls } from "./text-calls.ts";
import { type TaggedPart, thinkTags } from "./think-tags.ts";

/** What a text is cut into, in every way that is tried. */
function* cutsOf(text: string): Generator<readonly string[], void> {
  yield [text];
  for (let at = 1; at < text.length; at++) yield [text.slice(0, at), text.slice(at)];
  yield [...text];
}

/** Thinking and text as `T:…` and `t:…`, `!` where text turned out to be thinking. */
function runTags(chunks: readonly string[]): readonly string[] {
  const tags = thinkTags();
  const parts: TaggedPart[] = chunks.flatMap((chunk) => [...tags.push(chunk)]);
  parts.push(...tags.end());
  return joined(
    parts.map((part) =>
      part.kind === "wasThinking" ? "!" : `${part.kind === "text" ? "t" : "T"}:${part.text}`,
    ),
  );
}

/** Text as `t:…`, calls as `c:name json`. */
function runCalls(chunks: readonly string[]): readonly string[] {
  const calls = textCalls(new Set(["read", "ls"]));
  const parts: TextPart[] = chunks.flatMap((chunk) => [...calls.push(chunk)]);
  parts.push(...calls.end());
  return joined(
    parts.map((part) =>
      part.kind === "text" ? `t:${part.text}` : `c:${part.call.name} ${JSON.stringify(part.call.arguments)}`,
    ),
  );
}

/** Neighbours of one kind made one. */
function joined(parts: readonly string[]): readonly string[] {
  const out: string[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    const same = last !== undefined && part[1] === ":" && part[0] === last[0] && part[0] !== "c";
    if (same) out[out.length - 1] = last + part.slice(2);
    else out.push(part);
  }
  return out;
}

const TAGS: readonly (readonly [text: string, parts: readonly string[]])[] = [
  ["plain", ["t:plain"]],
  ["", []],
  ["  \n", ["t:  \n"]],
  ["<think>a</think>b", ["T:a", "t:b"]],
  ["\n <think>\nwhy\n</think>\n\nanswer\n", ["T:why\n", "t:answer\n"]],
  ["<think>\n\n</think>\n\nanswer", ["t:answer"]],
  ["<think>never closed", ["T:never closed"]],
  ["<think>a < b </thin and </think>c", ["T:a < b </thin and ", "t:c"]],
  ["<think>a</think>b <think>c</think>", ["T:a", "t:b <think>c</think>"]],
  ["<thinking>a", ["t:<thinking>a"]],
  ["<thin", ["t:<thin"]],
  ["About <think> tags", ["t:About <think> tags"]],
  ["hmm, so\n</think>\n\nanswer", ["t:hmm, so\n", "!", "t:answer"]],
  ["hmm</think>", ["t:hmm", "!"]],
  ["hmm</think>\r\nanswer", ["t:hmm", "!", "t:answer"]],
  ["hmm</think>\n", ["t:hmm", "!"]],
  ["hmm</think>\nanswer</think>\nx", ["t:hmm", "!", "t:answer</think>\nx"]],
  ["The tag `</think>` ends it", ["t:The tag `</think>` ends it"]],
  ["Split at </think> and go on", ["t:Split at </think> and go on"]],
  ["```html\n<b>\n</think>\n```\n", ["t:```html\n<b>\n</think>\n```\n"]],
  ["a </thin", ["t:a </thin"]],
];

const READ = '{"name":"read","arguments":{"path":"a.ts"}}';
const CALLED = 'c:read {"path":"a.ts"}';

const CALLS: readonly (readonly [text: string, parts: readonly string[]])[] = [
  ["plain", ["t:plain"]],
  ["", []],
  [" \n", ["t: \n"]],
  [READ, [CALLED]],
  [`\n${READ}\n`, [CALLED]],
  [`\`\`\`json\n${READ}\n\`\`\``, [CALLED]],
  [`\`\`\`\n${READ}\n\`\`\`\n`, [CALLED]],
  [`[${READ}, {"name": "ls", "parameters": {}}]`, [CALLED, "c:ls {}"]],
  [`${READ}\n{"name":"ls","arguments":{}}`, [CALLED, "c:ls {}"]],
  [`{ "type": "function", "function": ${READ} }`, [CALLED]],
  ['{"name":"read","arguments":"{\\"path\\":\\"a.ts\\"}"}', [CALLED]],
  [`<tool_call>\n${READ}\n</tool_call>`, [CALLED]],
  [`<tool_call>${READ}`, [CALLED]],
  [`I look.\n<tool_call>${READ}</tool_call>\n`, ["t:I look.\n", CALLED]],
  [`<tool_call>${READ}</tool_call>\n<tool_call>${READ}</tool_call>`, [CALLED, CALLED]],
  [`<tool_call>${READ}</tool_call>\nDone.`, [CALLED, "t:Done."]],
  // Not offered, not whole, or something else: text, to the byte.
  ['{"name":"rm","arguments":{"path":"/"}}', ['t:{"name":"rm","arguments":{"path":"/"}}']],
  ['{"name":"read"}', ['t:{"name":"read"}']],
  ['{"name":"Ada","age":36}', ['t:{"name":"Ada","age":36}']],
  [`${READ} is how to call it`, [`t:${READ} is how to call it`]],
  [`Such as ${READ}`, [`t:Such as ${READ}`]],
  ['{"name":"read","arguments":{"path":', ['t:{"name":"read","arguments":{"path":']],
  ['{"name":"read","arguments":[1]}', ['t:{"name":"read","arguments":[1]}']],
  [`[${READ}, {"name":"rm","arguments":{}}]`, [`t:[${READ}, {"name":"rm","arguments":{}}]`]],
  ["{ x: 1 }", ["t:{ x: 1 }"]],
  ["[1, 2, 3]", ["t:[1, 2, 3]"]],
  ["```ts\nconst a = 1;\n```", ["t:```ts\nconst a = 1;\n```"]],
  ["<tool_call>\nno json\n</tool_call>", ["t:<tool_call>\nno json\n</tool_call>"]],
  ["a <tool_call> in a line", ["t:a <tool_call> in a line"]],
  [`\`\`\`\n<tool_call>${READ}</tool_call>\n\`\`\``, [`t:\`\`\`\n<tool_call>${READ}</tool_call>\n\`\`\``]],
  ["<tool", ["t:<tool"]],
];

const LONG = `{"name":"read","arguments":{"path":"${"x".repeat(70_000)}"}}`;

export const SPLITTER_CASES: readonly Case[] = [
  ...TAGS.map(([text, parts]) => ({
    name: `thinkTags() splits ${JSON.stringify(text)} however it is cut`,
    run: () => {
      for (const chunks of cutsOf(text)) deepEqual(runTags(chunks), parts, JSON.stringify(chunks));
    },
  })),
  ...CALLS.map(([text, parts]) => ({
    name: `textCalls() reads ${JSON.stringify(text)} however it is cut`,
    run: () => {
      for (const chunks of cutsOf(text)) deepEqual(runCalls(chunks), parts, JSON.stringify(chunks));
    },
  })),
  {
    name: "textCalls() lets go of text that is too long for a call",
    run: () => {
      const calls = textCalls(new Set(["read"]));
      deepEqual([...calls.push(LONG), ...calls.end()], [{ kind: "text", text: LONG }]);
      deepEqual(joined(runCalls([LONG.slice(0, 40_000), LONG.slice(40_000)])), [`t:${LONG}`]);
    },
  },
  {
    name: "textCalls() passes plain text on at once",
    run: () => {
      const calls = textCalls(new Set(["read"]));
      deepEqual(calls.push("Hello"), [{ kind: "text", text: "Hello" }]);
      deepEqual(calls.push(" {"), [{ kind: "text", text: " {" }]);
    },
  },
  {
    name: "textCalls() with no tools holds nothing back",
    run: () => deepEqual(textCalls(new Set()).push(READ), [{ kind: "text", text: READ }]),
  },
  {
    name: "thinkTags() passes on what cannot become a tag at once",
    run: () => {
      const tags = thinkTags();
      deepEqual(tags.push("Hello <"), [{ kind: "text", text: "Hello " }]);
      deepEqual(tags.push("b>"), [{ kind: "text", text: "<b>" }]);
    },
  },
];
