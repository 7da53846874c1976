import { expect, test } from "bun:test";
import { encodeEntry } from "../session/codec.ts";
import { openSession } from "../session/open.ts";
import type { Session } from "../session/session.ts";
import { fixtureSession } from "../testing/handoff-facts.ts";
import { assistantEntry, sessionWith, userEntry } from "../testing/session-text.ts";
import { collectSession } from "./facts/collect.ts";
import { buildOfflineDocument } from "./offline.ts";
import { parseSections } from "./sections.ts";
import { splitEvidence } from "./told-before.ts";
import { handoffEntry } from "./transfer.ts";

async function documentOf(session: Session): Promise<string> {
  const { id, cwd } = session.header;
  return buildOfflineDocument({
    facts: await collectSession(session),
    source: { id, cwd, format: session.format },
    budget: 4000,
    focus: undefined,
    evidence: true,
  });
}

/** A session that begins with the document, and goes on with these entries. */
async function sessionAfter(document: string, ...entries: readonly object[]): Promise<Session> {
  const first = JSON.parse(encodeEntry(handoffEntry(document, "2026-01-02T03:04:05.000Z")));
  const talk = [userEntry("0000000a", first.id, "go on"), assistantEntry("0000000b", "0000000a")];
  return await sessionWith(first, ...talk, ...entries);
}

const sectionsOf = (document: string) => parseSections(splitEvidence(document).body).sections;

/** The documents of a session and of three that go on from each other. */
async function generations(): Promise<readonly { readonly document: string; readonly session: Session }[]> {
  let session = await openSession(fixtureSession("auth-refactor"));
  const found = [];
  for (let generation = 0; generation < 4; generation++) {
    const document = await documentOf(session);
    found.push({ document, session });
    session = await sessionAfter(document);
  }
  return found;
}

test("buildOfflineDocument() carries failures and open tasks from handoff to handoff", async () => {
  for (const { document } of await generations()) {
    const sections = sectionsOf(document);
    expect(sections["Next Steps"]).toContain("Fix what fails: `bun run test:e2e`");
    expect(sections["Critical Context"]).toContain("`bun run test:e2e` → failed, exit 1");
    expect(sections.Progress).toContain("[~] Migrate the tests");
    expect(sections.Progress).toContain("[ ] Write the changelog entry");
    expect(sections["Constraints & Preferences"]).toContain("“Never log a token.”");
  }
});

test("buildOfflineDocument() puts one word around what earlier handoffs said, and no fact out of their frame", async () => {
  for (const { document, session } of await generations()) {
    expect(document).not.toMatch(/From (?:the|a) [^“\n]*“From|““|“(?:None|See the evidence)|“\*\*/);
    const named = [...document.matchAll(/\[([0-9a-f]{8})\]/g)].map(([, id = ""]) => id);
    expect(named.filter((id) => session.indexOf(id) === undefined)).toEqual([]);
  }
});

test("buildOfflineDocument() tells of a command that ran again how it ended here", async () => {
  const [first] = await generations();
  const call = { type: "toolCall", id: "c", name: "bash", arguments: { command: "bun run test:e2e" } };
  const session = await sessionAfter(
    first?.document ?? "",
    assistantEntry("0000000c", "0000000b", { content: [call], stopReason: "toolUse" }),
    {
      ...userEntry("0000000d", "0000000c"),
      message: {
        role: "toolResult",
        toolCallId: "c",
        toolName: "bash",
        content: [{ type: "text", text: "8 pass" }],
        isError: false,
        timestamp: 1,
      },
    },
  );
  const document = await documentOf(session);
  expect(document).not.toContain("`bun run test:e2e` → failed");
  expect(sectionsOf(document)["Next Steps"]).not.toContain("Fix what fails");
});
