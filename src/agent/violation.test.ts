import { expect, test } from "bun:test";
import { collectEvents, testTool } from "../testing/collect-events.ts";
import { guardedRun } from "../testing/guarded-run.ts";
import { ruleOf } from "../testing/rules.ts";
import { calls, says, scriptedModel } from "../testing/scripted-model.ts";
import { textResult } from "../tools/tool.ts";

const NO_DELETE = "condition: kubectl delete\nscope: tool:bash";
const LIST = { id: "c1", name: "bash", arguments: { command: "kubectl list" } };
const DELETE = { id: "c2", name: "bash", arguments: { command: "kubectl delete pod x" } };

/** The end of a run in which the model calls for both, with the commands that were run and how each call was answered. */
async function runUnder(rule: string, fields: { failOnViolation: boolean; fired: boolean }) {
  const ran: unknown[] = [];
  const bash = testTool("bash", async (call) => {
    ran.push(call.arguments["command"]);
    return textResult("done");
  });
  const run = guardedRun(scriptedModel([calls(LIST, DELETE), says("fine")]), {
    rules: [ruleOf("no-delete", rule)],
    tools: { offered: [bash], withheld: [] },
    failOnViolation: fields.failOnViolation,
    injected: fields.fired ? [{ name: "no-delete", age: 1 }] : [],
  });
  const events = await collectEvents(run);
  const results = events.flatMap((event) =>
    event.type === "message_end" && event.message.role === "toolResult" ? [event.message.content] : [],
  );
  return { ran, results, end: events.at(-1) };
}

const NOT_RUN = [{ type: "text" as const, text: "not run, a rule forbids a call of this message" }];

test("runAgent() with failOnViolation ends before a call is run in which a rule matched that may not interrupt", async () => {
  for (const rule of [NO_DELETE, `${NO_DELETE}\ninterruptMode: never`]) {
    const fired = !rule.includes("never");
    expect(await runUnder(rule, { failOnViolation: true, fired })).toEqual({
      ran: [],
      results: [NOT_RUN, NOT_RUN],
      end: {
        type: "agent_end",
        reason: "rule",
        error: {
          kind: "rule",
          message:
            "The run was ended before a tool call that rule no-delete forbids was run (--fail-on-violation)",
          retryable: false,
        },
      },
    });
  }
});

test("runAgent() runs the calls of a message in which a rule only reports, unless failOnViolation and severity error", async () => {
  const both = ["kubectl list", "kubectl delete pod x"];
  const warning = `${NO_DELETE}\nseverity: warning`;
  expect((await runUnder(NO_DELETE, { failOnViolation: false, fired: true })).ran).toEqual(both);
  expect((await runUnder(warning, { failOnViolation: true, fired: true })).ran).toEqual(both);
});
