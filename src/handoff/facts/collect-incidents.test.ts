import { expect, test } from "bun:test";
import { assistantEntry, sessionWith, userEntry } from "../../testing/session-text.ts";
import { factLines } from "../lines.ts";
import { collectSession } from "./collect.ts";
import { apiErrorText } from "./collect-incidents.ts";

const TIME = { timestamp: "2026-01-02T03:04:06.000Z" } as const;
const apiError = (id: string, parentId: string) => ({
  ...TIME,
  type: "custom",
  id,
  parentId,
  customType: "claude:system:api_error",
  data: { error: { status: 524 }, retryAttempt: 1 },
});
const fired = (id: string, parentId: string, ...injectedRules: readonly string[]) => ({
  ...TIME,
  type: "ttsr_injection",
  id,
  parentId,
  injectedRules,
});

test("collectSession() tells errors of the model's server, and how often each came", async () => {
  const session = await sessionWith(
    userEntry("a", null, "hello"),
    apiError("b", "a"),
    apiError("c", "b"),
    assistantEntry("d", "c", { content: [], stopReason: "error", errorMessage: "overloaded" }),
    assistantEntry("e", "d"),
  );
  const facts = await collectSession(session);
  expect(facts.modelErrors).toEqual([
    { text: "overloaded", times: 1, entryId: "d" },
    { text: "API error 524", times: 2, entryId: "c" },
  ]);
  expect(factLines(facts, 4000).map((line) => line.text)).toContain(
    "A request to the model failed 2 times: API error 524 [c]",
  );
});

test("collectSession() tells which rules fired, and how often", async () => {
  const session = await sessionWith(
    userEntry("a", null, "go"),
    fired("b", "a", "no-any"),
    fired("c", "b", "no-sudo", "no-any"),
    assistantEntry("d", "c"),
  );
  const facts = await collectSession(session);
  expect(facts.rules).toEqual([
    { text: "no-any", times: 2, entryId: "c" },
    { text: "no-sudo", times: 1, entryId: "c" },
  ]);
  expect(factLines(facts, 4000).map((line) => line.text)).toContain(
    "Rules that fired: `no-any` 2 times, `no-sudo` [c]",
  );
});

test("apiErrorText() gives status and message, wherever they stand", () => {
  const nested = { error: { status: 400, error: { type: "error", error: { message: "too long" } } } };
  expect(apiErrorText(nested)).toBe("API error 400 too long");
  expect(apiErrorText({ error: { message: "refused" } })).toBe("API error refused");
  expect(apiErrorText("?")).toBe("API error");
});
