import { expect, test } from "bun:test";
import { collectEvents, testRun, testTool } from "../testing/collect-events.ts";
import { calls, fails, says, scriptedModel } from "../testing/scripted-model.ts";
import { textResult } from "../tools/tool.ts";
import type { AgentEvent } from "./events.ts";
import { runAgent } from "./loop.ts";

const call = (id: string, name = "t") => ({ id, name, arguments: { id } });
const toolsOf = (...offered: readonly ReturnType<typeof testTool>[]) => ({ offered, withheld: [] });

/** `id: text` of each result, in order. */
function results(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type !== "message_end" || event.message.role !== "toolResult") return [];
    const [block] = event.message.content;
    return [`${event.message.toolCallId}: ${block?.type === "text" ? block.text : ""}`];
  });
}

test("runAgent() runs calls that only read side by side, and gives their results in order", async () => {
  const ended: string[] = [];
  const allBegan = Promise.withResolvers<void>();
  const othersEnded = Promise.withResolvers<void>();
  let began = 0;
  const slow = testTool(
    "t",
    async ({ toolCallId }) => {
      began += 1;
      if (began === 3) allBegan.resolve();
      await allBegan.promise;
      if (toolCallId === "a") await othersEnded.promise;
      ended.push(toolCallId);
      if (ended.length === 2) othersEnded.resolve();
      return textResult("ok");
    },
    true,
  );
  const model = scriptedModel([calls(call("a"), call("b"), call("c")), says("done")]);
  expect(results(await collectEvents(testRun(model, { tools: toolsOf(slow) })))).toEqual([
    "a: ok",
    "b: ok",
    "c: ok",
  ]);
  expect(ended).toEqual(["b", "c", "a"]);
});

test("runAgent() runs calls that may change things one after another", async () => {
  const log: string[] = [];
  const tool = testTool("t", async ({ toolCallId }) => {
    log.push(`${toolCallId} begins`);
    await new Promise((resolve) => setTimeout(resolve, 2));
    log.push(`${toolCallId} ends`);
    return textResult("ok");
  });
  const model = scriptedModel([calls(call("a"), call("b")), says("done")]);
  await collectEvents(testRun(model, { tools: toolsOf(tool) }));
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});

test("runAgent() answers unknown tools, calls without a name, and built-in tools without a grant", async () => {
  const model = scriptedModel([
    calls(
      call("a", "nope"),
      call("b", ""),
      { ...call("c", "write"), arguments: { path: "a.ts", content: "x" } },
      { ...call("d", "bash"), arguments: { command: "ls -l" } },
    ),
    says("done"),
  ]);
  const tools = {
    offered: [testTool("t")],
    withheld: [
      { name: "write", permission: "write", reason: "it was not granted", hint: "--allow-write" },
      { name: "bash", permission: "run", reason: "--deny-run covers all of it" },
    ],
  } as const;
  const events = await collectEvents(testRun(model, { tools }));
  expect(results(events)).toEqual([
    'a: There is no tool "nope". The tools are: t.',
    "b: The call names no tool. The tools are: t.",
    "c: Permission denied: write a.ts: it was not granted (--allow-write)",
    "d: Permission denied: run ls -l: --deny-run covers all of it",
  ]);
  expect(events.filter((event) => event.type === "permission_denied")).toEqual([
    {
      type: "permission_denied",
      toolCallId: "c",
      tool: "write",
      permission: "write",
      target: "a.ts",
      reason: "it was not granted",
      hint: "--allow-write",
    },
    {
      type: "permission_denied",
      toolCallId: "d",
      tool: "bash",
      permission: "run",
      target: "ls -l",
      reason: "--deny-run covers all of it",
    },
  ]);
});

test("runAgent() fails when the model goes on calling tools that do not exist", async () => {
  const scripts = Array.from({ length: 4 }, (_, index) => calls(call(`c${index}`, `nope${index}`)));
  const model = scriptedModel(scripts);
  const events = await collectEvents(testRun(model, { tools: toolsOf(testTool("t")) }));
  expect(model.requests.length).toBe(4);
  expect(events.at(-1)).toMatchObject({ reason: "error", error: { kind: "failed" } });
});

test("runAgent() passes on the output of a running tool", async () => {
  const tool = testTool("t", async ({ update }) => {
    update("one ");
    await new Promise((resolve) => setTimeout(resolve, 5));
    update("two");
    return textResult("ok");
  });
  const model = scriptedModel([calls(call("a")), says("done")]);
  const events = await collectEvents(testRun(model, { tools: toolsOf(tool) }));
  expect(
    events.flatMap((event) => (event.type === "tool_execution_update" ? [event.delta] : [])).join(""),
  ).toBe("one two");
});

test("runAgent() gives every call a result when a signal ends the run", async () => {
  const controller = new AbortController();
  const tool = testTool("t", async (_request, signal) => {
    controller.abort();
    return signal.aborted ? textResult("ended", true) : textResult("ok");
  });
  const model = scriptedModel([calls(call("a"), call("b"))]);
  const events = await collectEvents(testRun(model, { tools: toolsOf(tool) }), controller.signal);
  expect(results(events)).toEqual(["a: ended", "b: not run, the run was ended"]);
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "aborted" });
});

test("runAgent() ends at the first denial with failOnDenied", async () => {
  const tool = testTool("t", async () => ({
    ...textResult("denied", true),
    denied: { permission: "write", target: "/etc", reason: "it is outside", hint: "--allow-write=/etc" },
  }));
  const model = scriptedModel([calls(call("a"), call("b"))]);
  const events = await collectEvents(testRun(model, { tools: toolsOf(tool), failOnDenied: true }));
  expect(results(events)).toEqual(["a: denied", "b: not run, the call before it was denied"]);
  expect(events.at(-1)).toEqual({
    type: "agent_end",
    reason: "denied",
    error: {
      kind: "denied",
      message: 'The run was ended at the first denial (--fail-on-denied): t "/etc": it is outside',
      hint: "--allow-write=/etc grants it.",
      retryable: false,
    },
  });
});

test("runAgent() answers a tool that throws", async () => {
  const tool = testTool("t", async () => {
    throw new Error("broken");
  });
  const model = scriptedModel([calls(call("a")), says("done")]);
  expect(results(await collectEvents(testRun(model, { tools: toolsOf(tool) })))).toEqual([
    "a: The tool t failed: broken",
  ]);
});

test("runAgent() tells the model of a call that the server could not parse, three times at most", async () => {
  const broken = fails("", { reason: "badToolCall", kind: "failed", message: "bad call", retryable: false });
  const model = scriptedModel([broken, broken, broken, broken]);
  const events = await collectEvents(testRun(model));
  expect(model.requests.length).toBe(4);
  expect(model.requests[1]?.messages.at(-1)?.content).toStartWith(
    "Your last tool call could not be read, and was not run: bad call",
  );
  expect(events.at(-1)).toMatchObject({ reason: "error", error: { message: "bad call" } });
});

test("runAgent() ends its tools when its events are no longer read", async () => {
  let ended = false;
  const tool = testTool("t", (_request, signal) => {
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        ended = true;
        resolve(textResult("ended", true));
      });
    });
  });
  const waits = {
    ...tool,
    run: (request: Parameters<typeof tool.run>[0], signal: AbortSignal) => {
      request.update("begun");
      return tool.run(request, signal);
    },
  };
  const model = scriptedModel([calls(call("a"))]);
  for await (const event of runAgent(
    testRun(model, { tools: toolsOf(waits) }),
    new AbortController().signal,
  )) {
    if (event.type === "tool_execution_update") break;
  }
  expect(ended).toBe(true);
});
