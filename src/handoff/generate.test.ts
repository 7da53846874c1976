import { expect, test } from "bun:test";
import { createRuleGuard } from "../agent/guard.ts";
import { NO_TOOLS } from "../agent/run.ts";
import { memoryWriter } from "../session/writer.ts";
import { DEFAULT_SETTINGS } from "../settings/settings.ts";
import { answer, type Step, scriptedModel } from "../testing/scripted-model.ts";
import { assistantEntry, sessionWith, userEntry } from "../testing/session-text.ts";
import { type GenerateOptions, generateHandoff } from "./generate.ts";
import { SECTIONS } from "./sections.ts";

const WHOLE = SECTIONS.map((name) => `## ${name}\nx`).join("\n\n");

function says(text: string): readonly Step[] {
  return [
    { type: "start" },
    { type: "text_delta", contentIndex: 0, delta: text },
    { type: "done", message: answer([{ type: "text", text }]) },
  ];
}

async function optionsFor(scripts: readonly (readonly Step[])[], messages = 2): Promise<GenerateOptions> {
  const entries = [
    userEntry("a", null, "an older question"),
    assistantEntry("b", "a", { content: [{ type: "text", text: "an older answer" }] }),
  ];
  const session = await sessionWith(...entries.slice(0, messages));
  return {
    session,
    writer: memoryWriter(session.header, session),
    model: scriptedModel(scripts),
    options: {},
    systemPrompt: "",
    focus: undefined,
    guard: createRuleGuard({
      rules: [],
      settings: DEFAULT_SETTINGS.ttsr,
      cwd: "/",
      tools: NO_TOOLS,
      injected: [],
    }),
    limits: {},
    retry: { attempts: 0, baseDelayMs: 1 },
    onEvent: () => {},
  };
}

test("generateHandoff() gives the answer to its prompt and is generating until then", async () => {
  const run = generateHandoff(await optionsFor([says(`\n${WHOLE}\n`)]), new AbortController().signal);
  expect(run.isGeneratingHandoff).toBe(true);
  expect(await run.result).toMatchObject({ document: WHOLE, missing: [] });
  expect(run.isGeneratingHandoff).toBe(false);
  run.abortHandoff();
  expect(await run.result).toMatchObject({ document: WHOLE });
});

test("generateHandoff() checks once more that there is something to hand off", async () => {
  const options = await optionsFor([], 1);
  const run = generateHandoff(options, new AbortController().signal);
  await expect(run.result).rejects.toMatchObject({ kind: "nothing" });
  expect(options.writer.leafId).toBe("a");
});

test("generateHandoff() never takes an older answer for its own", async () => {
  const run = generateHandoff(await optionsFor([says("  ")]), new AbortController().signal);
  await expect(run.result).rejects.toMatchObject({
    kind: "cancelled",
    message: "Handoff cancelled: the model returned no text",
  });
});

test("abortHandoff() cancels in mid-stream and is over in every end", async () => {
  const options = await optionsFor([
    [{ type: "start" }, { type: "text_delta", contentIndex: 0, delta: "half" }, "hang"],
  ]);
  const run = generateHandoff(options, new AbortController().signal);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(run.isGeneratingHandoff).toBe(true);
  run.abortHandoff();
  await expect(run.result).rejects.toMatchObject({ kind: "cancelled", message: "Handoff cancelled" });
  await run.result.catch(() => {});
  expect(run.isGeneratingHandoff).toBe(false);
});

test("generateHandoff() keeps its document when the repair fails", async () => {
  const partial = WHOLE.replace("## Key Decisions\nx\n\n", "");
  const failing: readonly Step[] = [
    {
      type: "error",
      message: answer([], "error"),
      failure: { kind: "failed", message: "no", retryable: false },
    },
  ];
  const run = generateHandoff(await optionsFor([says(partial), failing]), new AbortController().signal);
  expect(await run.result).toMatchObject({ document: partial, missing: ["Key Decisions"] });
});
