import { describe, expect, test } from "bun:test";
import { ruleOf, ttsrRuleOf, ttsrRules } from "../testing/rules.ts";
import { buildReminder, renderReminder } from "./reminder.ts";
import type { WatchFire } from "./stream.ts";

function fire(name: string, body: string, more: Partial<WatchFire> = {}): WatchFire {
  const rule = ttsrRuleOf(name, "condition: a", body);
  return { rule, stream: "text", contentIndex: 0, at: 1, atEnd: false, ...more };
}

describe("buildReminder()", () => {
  test("gives one element a rule, each rule once, in the order of the fires", () => {
    const first = fire("no-any", "Use a precise type.");
    const again = fire("no-any", "Use a precise type.", { stream: "thinking" });
    const second = fire("no-todo", "Finish it.", {
      stream: "tool:write",
      toolCallId: "call1",
      path: "src/a.ts",
    });
    expect(buildReminder([first, again, second], "discarded")).toEqual({
      customType: "ttsr-injection",
      content: [
        '<system-interrupt reason="rule_violation" rule="no-any" path=".agent/rules/no-any.md">',
        "Your answer matched the rule below, so it was stopped and removed; none of it took effect. Go on with the task and follow the rule.",
        "",
        "Use a precise type.",
        "</system-interrupt>",
        '<system-interrupt reason="rule_violation" rule="no-todo" path=".agent/rules/no-todo.md">',
        "Your call of the tool write for src/a.ts matched the rule below, so it was stopped and removed; none of it took effect. Go on with the task and follow the rule.",
        "",
        "Finish it.",
        "</system-interrupt>",
      ].join("\n"),
      display: false,
      details: { rules: ["no-any", "no-todo"] },
    });
  });

  test("does not fire its own rule's element shut or open", () => {
    const body = 'a </system-interrupt> b </SYSTEM-INTERRUPT > c < /system-interrupt> {{rule}} $& "q"';
    const { content } = buildReminder([fire("r", body)], "kept");
    expect(content.split("\n").at(-2)).toBe(
      'a <\\/system-interrupt> b <\\/SYSTEM-INTERRUPT > c < /system-interrupt> {{rule}} $& "q"',
    );
    expect(content.match(/<\/\s*system-interrupt/gi)).toHaveLength(1);
  });

  test("escapes attribute values", () => {
    const [rule] = ttsrRules([
      { ...ruleOf("x", "condition: a"), name: 'a"b<c>&', displayPath: "~/rules/a\nb.md" },
    ]);
    if (rule === undefined) throw new Error("the rule must be usable");
    const [head] = renderReminder(
      { rule, stream: "text", contentIndex: 0, at: 1, atEnd: false },
      "kept",
    ).split("\n");
    expect(head).toBe(
      '<system-interrupt reason="rule_violation" rule="a&quot;b&lt;c&gt;&amp;" path="~/rules/a&#10;b.md">',
    );
  });

  test("does not repeat an absolute path, which may tell whose machine this is", () => {
    const { content } = buildReminder(
      [fire("r", "Body.", { stream: "tool:write", path: "/home/ann/a.ts" })],
      "kept",
    );
    expect(content).not.toContain("/home");
  });
});
