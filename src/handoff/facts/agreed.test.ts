import { expect, test } from "bun:test";
import { assistantEntry, sessionWith, userEntry } from "../../testing/session-text.ts";
import { collectSession } from "./collect.ts";

const PROPOSED =
  'Ready. The steps are:\n```bash\ngit add .\ngit commit -m "v1"\ngit push origin main   # the branch\ngit push origin v1\n```\nThen:\n```\nnpm run publish\n```\nShall I?';

/** The steps that stay open when these commands ran after the user's words; `!` marks a failure. */
async function stepsAfter(words: string, ...ran: readonly string[]) {
  return await stepsOf(PROPOSED, words, ...ran);
}

async function stepsOf(proposed: string, words: string, ...ran: readonly string[]) {
  const entries: object[] = [
    userEntry("u", null, "release it"),
    assistantEntry("p", "u", { content: [{ type: "text", text: proposed }] }),
    userEntry("y", "p", words),
  ];
  for (const [at, line] of ran.entries()) {
    const command = line.replace(/^!/, "");
    const isError = line.startsWith("!");
    const parentId = at === 0 ? "y" : `r${at - 1}`;
    const call = { type: "toolCall", id: `c${at}`, name: "bash", arguments: { command } };
    entries.push(assistantEntry(`a${at}`, parentId, { content: [call], stopReason: "toolUse" }));
    const content = [{ type: "text", text: isError ? "error: no\n\nCommand exited with code 1" : "fine" }];
    entries.push({
      ...userEntry(`r${at}`, `a${at}`),
      message: { role: "toolResult", toolCallId: `c${at}`, toolName: "bash", content, isError, timestamp: 1 },
    });
  }
  const session = await sessionWith(...entries);
  return (await collectSession(session)).agreed;
}

test("collectSession() tells which commands that were agreed to never ran, or failed when they ran last", async () => {
  expect(
    await stepsAfter(
      "yeah, do it all",
      "git add .",
      '!git commit -m "v1"',
      'cd /home/someone/project && git add . && git commit -m "v1"',
      "git push origin main",
      "!npm run publish 2>&1",
    ),
  ).toEqual([
    { command: "git push origin v1", state: "notRun", entryId: "p" },
    { command: "npm run publish", state: "failed", entryId: "r4" },
  ]);
});

test("collectSession() takes nothing for agreed to where the user did not plainly agree", async () => {
  expect(await stepsAfter("no")).toEqual([]);
  expect(await stepsAfter("why publish?")).toEqual([]);
  expect(await stepsAfter("yes, but no push")).toEqual([]);
});

test("collectSession() takes commands for agreed to only where the message asks leave to run them", async () => {
  const steps = "The steps are:\n```\nnpm run publish\n```\n";
  expect(await stepsOf(`${steps}Want me to do it?`, "yes")).toHaveLength(1);
  expect(await stepsOf(`${steps}Did it work?`, "yes")).toEqual([]);
  expect(await stepsOf("I ran these:\n- `npm run publish`", "great")).toEqual([]);
});

test("collectSession() takes no prose for code where a message is long", async () => {
  const long = `\`\`\`\n${"a line of code\n".repeat(1000)}\`\`\`\nWe go on:\n- \`npm run publish\`\nShall I?`;
  expect(await stepsOf(long, "yes")).toMatchObject([{ command: "npm run publish", state: "notRun" }]);
});
