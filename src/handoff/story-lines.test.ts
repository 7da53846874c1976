import { expect, test } from "bun:test";
import { assistantEntry, sessionWith, userEntry } from "../testing/session-text.ts";
import { collectSession } from "./facts/collect.ts";
import { factLines } from "./lines.ts";
import { buildOfflineDocument } from "./offline.ts";
import { storyLines } from "./story-lines.ts";

/** A call and its result; `!` before the command marks a failure. */
function ran(n: number, parentId: string, line: string): readonly object[] {
  const isError = line.startsWith("!");
  const call = {
    type: "toolCall",
    id: `c${n}`,
    name: "bash",
    arguments: { command: line.replace(/^!/, "") },
  };
  const text = isError ? `error: ${line}\n\nCommand exited with code 1` : "fine";
  const content = [{ type: "text", text }];
  return [
    assistantEntry(`a${n}`, parentId, { content: [call], stopReason: "toolUse" }),
    {
      ...userEntry(`r${n}`, `a${n}`),
      message: { role: "toolResult", toolCallId: `c${n}`, toolName: "bash", content, isError, timestamp: 1 },
    },
  ];
}

async function factsAfter(first: readonly object[], last: string, ...lines: readonly string[]) {
  const runs = lines.flatMap((line, n) => ran(n, n === 0 ? last : `r${n - 1}`, line));
  return await collectSession(await sessionWith(...first, ...runs));
}

test("storyLines() tells with a short answer what it answers, and what was agreed to and is not done", async () => {
  const offer = "Then:\n```\ngit push\nnpm publish\n```\nShall I?";
  const talk = [
    userEntry("u", null, "release it"),
    assistantEntry("p", "u", { content: [{ type: "text", text: offer }] }),
    userEntry("y", "p", "yes"),
  ];
  const facts = await factsAfter(talk, "y", "!npm publish");
  const lines = storyLines(facts, { focus: undefined, budget: 4000 });
  expect(lines.filter(({ place }) => place === "goal").map(({ text }) => text)).toEqual([
    "Newest request: “yes” [y], answering “Then: ⏎ git push ⏎ npm publish ⏎ Shall I?” [p]",
    "Before it: “release it” [u]",
  ]);
  expect(lines.filter(({ place }) => place === "next").map(({ text }) => text)).toEqual([
    "Go on with the newest request: “yes” [y]",
    "Agreed to, not run since: `git push` [p]",
    "Agreed to, failed: `npm publish` [r0]",
  ]);
});

test("storyLines() names what failed last as the next step, with how long ago, and never what is stale", async () => {
  const since = Array.from({ length: 5 }, (_, n) => `touch ${n}`);
  const builds = ["npm run build -- --fast", "npm run build"];
  const begin = [userEntry("u", null, "go")];
  const facts = await factsAfter(begin, "u", "!npx tsc -p old.json", "!npm test", ...builds, ...since);
  const next = storyLines(facts, { focus: undefined, budget: 4000 }).filter(({ place }) => place === "next");
  expect(next.map(({ text }) => text)).toEqual([
    "Go on with the newest request: “go” [u]",
    "Fix what fails, 7 commands ago: `npm test` [r1]",
  ]);
  expect(factLines(facts, 4000).some(({ text }) => text.startsWith("`npx tsc -p old.json` → failed"))).toBe(
    true,
  );
});

test("buildOfflineDocument() leaves old commands out before requests", async () => {
  const entries = Array.from({ length: 40 }, (_, n) => [
    userEntry(`u${n}`, n === 0 ? null : `r${4 * n - 1}`, `please make part ${n} of the list a little wider`),
    ...[0, 1, 2, 3].flatMap((k) =>
      ran(4 * n + k, k === 0 ? `u${n}` : `r${4 * n + k - 1}`, `cp ${n}.txt out/${n}-${k}.txt`),
    ),
  ]).flat();
  const facts = await collectSession(await sessionWith(...entries));
  const source = { id: "s", cwd: "/repo", format: "pi-v3" } as const;
  const document = buildOfflineDocument({ facts, source, budget: 4000, focus: undefined, evidence: true });
  expect(document).toMatch(/Left out to keep to 4000 tokens: \d+ commands?\.\n$/);
});
