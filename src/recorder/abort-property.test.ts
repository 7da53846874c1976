// A signal after any event of a run: the run ends with `agent_end`, and every call on the branch has its own result.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { runAgent } from "../agent/loop.ts";
import { toModelMessages } from "../model/context.ts";
import { buildSessionContext } from "../session/context.ts";
import { newHeader } from "../session/header.ts";
import { readSession } from "../session/open.ts";
import { memoryWriter } from "../session/writer.ts";
import { testTool } from "../testing/collect-events.ts";
import { guardedRun } from "../testing/guarded-run.ts";
import { ruleOf } from "../testing/rules.ts";
import { calls, fails, says, scriptedModel } from "../testing/scripted-model.ts";
import { createRecorder } from "./recorder.ts";

const RULES = [
  ruleOf("discards", "condition: alpha\nrepeatMode: after-gap\nrepeatGap: 0"),
  ruleOf("keeps", "condition: beta\ncontextMode: keep\nrepeatMode: after-gap\nrepeatGap: 0"),
  ruleOf("reminds", "condition: gamma\ninterruptMode: never\nrepeatMode: after-gap\nrepeatGap: 0"),
];

const call = (id: string, text: string) => ({ id, name: "note", arguments: { text } });

/** Two calls, an interrupt of each kind, a failed attempt, a reminder, and an end. */
const SCRIPTS = [
  calls(call("a", "fine"), call("b", "gamma")),
  calls(call("c", "fine"), call("d", "beta")),
  fails("half an"),
  calls(call("e", "fine"), call("f", "alpha")),
  says("some ", "gamma ", "text"),
  says("the ", "end"),
];

test("a run that a signal ends after any event leaves a session in which every call has its result", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(90), async (abortAfter) => {
      const controller = new AbortController();
      const writer = memoryWriter(newHeader({ cwd: "/project" }));
      const recorder = createRecorder(writer);
      const run = guardedRun(scriptedModel(SCRIPTS), {
        rules: RULES,
        tools: { offered: [testTool("note")], withheld: [] },
      });
      let seen = 0;
      let last = "";
      for await (const event of runAgent(run, controller.signal)) {
        recorder.record(event);
        last = event.type;
        if (seen++ === abortAfter) controller.abort();
      }
      expect(last).toBe("agent_end");
      const { messages } = buildSessionContext(await readSession(writer.lines()));
      const sent = toModelMessages(messages);
      const results = (list: readonly { readonly role: string }[]) =>
        list.filter(({ role }) => role === "toolResult").length;
      expect(results(sent)).toBe(results(messages));
      expect(JSON.stringify(sent)).not.toContain("No result: the run ended");
      expect(JSON.stringify(sent)).not.toContain("alpha");
    }),
    { numRuns: 100 },
  );
});
