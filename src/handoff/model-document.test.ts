import { expect, test } from "bun:test";
import { openSession } from "../session/open.ts";
import { fixtureSession } from "../testing/handoff-facts.ts";
import { collectSession } from "./facts/collect.ts";
import { buildModelDocument } from "./model-document.ts";

const facts = await collectSession(await openSession(fixtureSession("auth-refactor")));

test("buildModelDocument() puts what is not proved and the evidence behind the model's text", () => {
  const document = buildModelDocument({
    text: "## Goal\n```sh\nbun test",
    unverified: [{ kind: "path", text: "src/`odd`.ts" }],
    facts,
    budget: 4000,
  });
  expect(document).toStartWith(
    "## Goal\n```sh\nbun test\n```\n\n## Unverified\n\nNamed above, but not found in the session:\n- path `` src/`odd`.ts ``\n\n## Evidence\n",
  );
  expect(document).toContain("**Failing commands**\n- `bun run test:e2e` → failed, exit 1: ");
  expect(document).toEndWith("\n");
});

test("buildModelDocument() leaves the evidence out if none is wanted, and counts what does not fit", () => {
  expect(buildModelDocument({ text: "x", unverified: [], facts: undefined, budget: 4000 })).toBe("x\n");
  const small = buildModelDocument({ text: "x", unverified: [], facts, budget: 300 });
  expect(small).toMatch(
    /\nLeft out to keep to 300 tokens: 1 test outcome, \d+ changed files, \d+ commands, /,
  );
});
