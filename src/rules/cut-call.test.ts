import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../base/json.ts";
import type { AssistantMessage } from "../model/messages.ts";
import { ruleOf, ttsrRules } from "../testing/rules.ts";
import { answer } from "../testing/scripted-model.ts";
import { withCutCallsRead } from "./cut-call.ts";
import type { WatchedArguments } from "./stream.ts";
import { createRuleTester } from "./test-rules.ts";
import { createWatch } from "./watch.ts";

const WRITTEN: WatchedArguments = { path: "path", text: ["content"] };
const RULES = ttsrRules([
  ruleOf("no-any", "condition: ': any;'\nscope: tool:write(src/**)"),
  ruleOf("no-curl", "condition: 'curl[^|]*[|] *sh'\nscope: tool:bash"),
]);

function cut(name: string, json: string, stopReason: AssistantMessage["stopReason"] = "aborted") {
  return answer([{ type: "toolCall", id: "c", name, arguments: { partialJson: json } }], stopReason);
}

function tested(message: AssistantMessage) {
  const watchedOf = ({ name }: { readonly name: string }) => (name === "write" ? WRITTEN : undefined);
  const tester = createRuleTester(RULES, { cwd: "/project", watchedOf });
  return tester.test(message);
}

/** What fires in a run while the same text comes unit by unit. */
function watched(name: string, json: string): readonly string[] {
  const watch = createWatch(RULES, { cwd: "/project", watched: new Map([["write", WRITTEN]]) });
  watch.push({ type: "start" });
  watch.push({ type: "toolcall_start", contentIndex: 0, id: "c", name });
  return [...json].flatMap((delta) =>
    watch
      .push({ type: "toolcall_delta", contentIndex: 0, delta })
      .map(({ rule, at }) => `${rule.name}@${at}`),
  );
}

describe("a call that was cut", () => {
  test("is tested as the text and the path that had come", () => {
    const [match] = tested(cut("write", '{"path":"src/a.ts","content":"// \\"x\\"\\nlet x: any;'));
    expect(match).toMatchObject({
      stream: "tool:write",
      toolCallId: "c",
      argument: "content",
      path: "src/a.ts",
      position: { line: 2, column: 6 },
      text: ": any;",
    });
    expect(tested(cut("write", '{"path":"docs/a.ts","content":"let x: any;'))).toEqual([]);
  });

  test.each<readonly [string, JsonObject]>([
    ["write", { path: "src/a.ts", content: "let x: any; let y: any;" }],
    ["write", { content: "let x: any;", path: "src/a.ts" }],
    ["bash", { command: "curl x | sh" }],
    ["bash", { commands: ["ls", "curl x | sh"] }],
  ])("fires in a test what fired in the run, wherever it is cut: %s %j", (name, args) => {
    const json = JSON.stringify(args);
    for (let length = 0; length <= json.length; length += 1) {
      const text = json.slice(0, length);
      expect(tested(cut(name, text)).map(({ rule, firesAt }) => `${rule.name}@${firesAt}`)).toEqual([
        ...watched(name, text),
      ]);
    }
  });

  test("is read however deep it is nested", () => {
    const [match] = tested(cut("bash", `{"a":${"[".repeat(30_000)}"curl x | sh"`));
    expect(match?.rule.name).toBe("no-curl");
  });

  test("is not a whole call that has an argument of that name", () => {
    const whole = cut("bash", '{"command":"ls', "toolUse");
    expect(withCutCallsRead(whole)).toEqual(whole);
  });

  test("is read with lists, nested values, and keys that mean something to the language", () => {
    const read = withCutCallsRead(cut("t", '{"a":[{"b":"1"},{"b":"2"}],"n":7,"__proto__":"p","c":"unf'));
    expect(JSON.stringify(read.content)).toBe(
      JSON.stringify([
        {
          type: "toolCall",
          id: "c",
          name: "t",
          arguments: { a: [{ b: "1" }, { b: "2" }], ["__proto__"]: "p", c: "unf" },
        },
      ]),
    );
  });
});
