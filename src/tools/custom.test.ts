import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../model/messages.ts";
import type { CustomToolSettings } from "../settings/settings.ts";
import { tempDir } from "../testing/temp.ts";
import { toolPlace } from "../testing/tool-place.ts";

function tool(script: string, more: Partial<CustomToolSettings> = {}): CustomToolSettings {
  return {
    name: "ask",
    description: "asks",
    parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    command: ["bash", "-c", script],
    timeoutMs: 60_000,
    onSession: false,
    ...more,
  };
}

async function answer(settings: CustomToolSettings, args = { n: 1 }) {
  using place = await toolPlace({ custom: [settings], env: { SECRET: "x" } });
  const result = await place.call("ask", args);
  return {
    text: textOf(result.content),
    isError: result.isError,
    exitCode: result.details?.["exitCode"],
  };
}

test("a custom tool gets its checked arguments as JSON on stdin and answers on stdout", async () => {
  using place = await toolPlace({
    custom: [tool("cat; pwd; echo $AGENT_CALL-$SECRET-$TERM")],
    env: { SECRET: "x" },
  });
  expect(await place.text("ask", { n: "7" })).toBe(`{"n":7}\n${place.cwd}\ncall--dumb`);
  expect(await place.text("ask", {})).toBe('Cannot call ask: "n" is missing');
});

test("a custom tool that fails gives its answer, what it said on stderr, and how it ended", async () => {
  expect(await answer(tool("echo half; echo why >&2; exit 3"))).toEqual({
    text: "half\nwhy\nThe program exited with code 3",
    isError: true,
    exitCode: 3,
  });
});

test("a custom tool that says nothing, or does not exist, is told so", async () => {
  expect((await answer(tool(""))).text).toBe("(no answer)");
  expect(await answer(tool("", { command: ["./no-such-program"] }))).toMatchObject({
    isError: true,
    text: "The program could not be started: ./no-such-program: no such program (or the working directory is gone)",
  });
});

test("a custom tool is ended at its timeout, with what it started", async () => {
  expect(await answer(tool("echo before; sleep 300 & wait", { timeoutMs: 200 }))).toEqual({
    text: "before\nThe program was ended after 200 ms",
    isError: true,
    exitCode: undefined,
  });
});

test("a custom tool's output is bounded on both streams", async () => {
  using place = await toolPlace({ custom: [tool("seq 1 100000; seq 1 100000 >&2; exit 1")] });
  const text = await place.text("ask", { n: 1 });
  expect(text.length).toBeLessThan(56_000);
  expect(text).toContain("bytes left out of 588895");
});

test("a custom tool that keeps its output open does not hang the call", async () => {
  expect((await answer(tool("echo done; setsid sleep 300 & exit 0"))).text).toBe("done");
});

test("a custom tool runs without a shell", async () => {
  using dir = tempDir();
  chmodSync(dir.write("t", '#!/bin/sh\necho "$1"\n'), 0o755);
  expect((await answer(tool("", { command: [join(dir.path, "t"), "$(id); x"] }))).text).toBe("$(id); x");
});

test("buildToolSet() refuses custom tools that cannot be used", async () => {
  const reasons = await Promise.all(
    [
      [tool("", { name: "read" })],
      [tool(""), tool("")],
      [tool("", { parameters: {} })],
      [tool("", { parameters: { type: "object", properties: 3 } })],
    ].map((custom) =>
      toolPlace({ custom }).then(
        () => "accepted",
        (error: Error) => error.message,
      ),
    ),
  );
  expect(reasons).toEqual([
    'Cannot use tool "read": there is one of this name already',
    'Cannot use tool "ask": there is one of this name already',
    'Cannot use tool "ask": its parameters need "type": "object"',
    expect.stringContaining('Cannot use tool "ask": its parameters are no JSON Schema'),
  ]);
});
