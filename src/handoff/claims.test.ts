import { expect, test } from "bun:test";
import { assistantEntry, sessionWith, userEntry } from "../testing/session-text.ts";
import { claimsOf, unverifiedClaims } from "./claims.ts";
import { handoffPrompt } from "./prompt.ts";

test("claimsOf() finds paths, commands and commit ids, and no other code", () => {
  const text = [
    "Changed `src/auth/token.ts:14` and `README.md`, see src/db/pool.ts. Call `sign(key)`, set `AUTH_KEY`, use `a/b`.",
    "Ran `bun test src/auth`; commit 4be19c2, also `1f2e3d4c5b6a`. See https://example.com/a/b.html and `v1.2.3`.",
    "```sh\n$ git push origin main\n# a comment\n```",
    "```ts\nimport x from './not-a-claim.ts';\n```",
  ].join("\n");
  expect(claimsOf(text)).toEqual([
    { kind: "command", text: "$ git push origin main" },
    { kind: "path", text: "src/auth/token.ts" },
    { kind: "path", text: "README.md" },
    { kind: "command", text: "bun test src/auth" },
    { kind: "commit", text: "1f2e3d4c5b6a" },
    { kind: "path", text: "src/db/pool.ts" },
    { kind: "commit", text: "4be19c2" },
  ]);
});

test("unverifiedClaims() takes what an earlier handoff of the session said for no proof", async () => {
  const session = await sessionWith(
    userEntry("a", null, "look at src/one.ts"),
    assistantEntry("b", "a", { content: [{ type: "text", text: "`src/one.ts` is fine" }] }),
    userEntry("c", "b", handoffPrompt(undefined)),
    assistantEntry("d", "c", { content: [{ type: "text", text: "## Goal\nMend `src/two.ts`." }] }),
    userEntry("e", "d", "go on"),
    assistantEntry("f", "e", { content: [{ type: "text", text: "`src/three.ts`" }] }),
  );
  const claims = claimsOf("`src/one.ts` `src/two.ts` `src/three.ts`");
  expect(unverifiedClaims(claims, session.entries(), "/repo").map((claim) => claim.text)).toEqual([
    "src/two.ts",
  ]);
});

test("unverifiedClaims() takes a longer name for no proof of a shorter one", async () => {
  const session = await sessionWith(
    userEntry("a", null, "see src/data.tsx, my_a.ts and ./lib/b.ts; npm test:e2e"),
  );
  const claims = claimsOf("`src/data.ts` `a.ts` `b.ts` `lib/b.ts` `npm test`");
  expect(unverifiedClaims(claims, session.entries(), "/repo").map((claim) => claim.text)).toEqual([
    "src/data.ts",
    "a.ts",
  ]);
});

test("unverifiedClaims() gives what no entry contains, wherever it may stand", async () => {
  const session = await sessionWith(
    userEntry("a", null, "look at src/one.ts"),
    assistantEntry("b", "a", {
      content: [
        { type: "thinking", thinking: "commit 4be19c2" },
        {
          type: "toolCall",
          id: "1",
          name: "bash",
          arguments: { command: "bun   test\nsrc", deep: { path: "/work/repo/src/two.ts" } },
        },
      ],
    }),
  );
  const claims = claimsOf(
    "`src/one.ts` `/repo/src/one.ts` `src/two.ts` `src/three.ts` `bun test src` `bun test lib` commit 4be19c2 commit 4be19c3",
  );
  expect(unverifiedClaims(claims, session.entries(), "/repo").map((claim) => claim.text)).toEqual([
    "src/three.ts",
    "bun test lib",
    "4be19c3",
  ]);
});
