import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { estimateTokens } from "../model/tokens.ts";
import { openSession } from "../session/open.ts";
import { fixtureSession } from "../testing/handoff-facts.ts";
import { assistantEntry, sessionWith, userEntry } from "../testing/session-text.ts";
import { collectSession } from "./facts/collect.ts";
import { buildOfflineDocument } from "./offline.ts";
import { closeFence, parseSections } from "./sections.ts";

const SOURCE = { id: "s", cwd: "/repo", format: "pi-v3" } as const;

async function documentOf(asked: readonly string[], answered: string, budget = 4000): Promise<string> {
  const entries = asked.flatMap((text, index) => [
    userEntry(`u${index}`, index === 0 ? null : `a${index - 1}`, text),
    assistantEntry(`a${index}`, `u${index}`, { content: [{ type: "text", text: answered }] }),
  ]);
  const facts = await collectSession(await sessionWith(...entries));
  return buildOfflineDocument({ facts, source: SOURCE, budget, focus: undefined, evidence: true });
}

describe("buildOfflineDocument()", () => {
  test("has its six sections, whatever the session", async () => {
    expect(parseSections(await documentOf(["hi"], "hello")).missing).toEqual([]);
  });

  test("puts the newest request first in Next Steps, and marks what it took back", async () => {
    const document = await documentOf(["Make it green.", "Actually, make it blue."], "Done.");
    expect(document).toMatch(/## Next Steps\n1\. [^\n]*“Actually, make it blue\.” \[u1\]\n/);
    expect(document).toContain("“Make it green.” (superseded by [u1]) [u0]");
  });

  for (const name of ["tool-heavy", "long", "german"]) {
    test(`keeps to any budget that may be given, for ${name}`, async () => {
      const facts = await collectSession(await openSession(fixtureSession(name)));
      fc.assert(
        fc.property(fc.integer({ min: 200, max: 5000 }), fc.boolean(), (budget, evidence) => {
          const options = { facts, source: SOURCE, budget, focus: undefined, evidence };
          expect(estimateTokens(buildOfflineDocument(options))).toBeLessThanOrEqual(budget);
        }),
        { numRuns: 60 },
      );
    });
  }

  test("never opens a code fence, whatever is quoted", async () => {
    const text = fc.string({
      unit: fc.constantFrom("```", "~~~", "`", "\n", " ", "never", "because I decided", "- ", "#"),
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(text, text, async (asked, answered) => {
        const document = await documentOf([`a ${asked}`], answered);
        expect(closeFence(document)).toBe(document);
      }),
      { numRuns: 60 },
    );
  });

  test("quotes beginning and end of a request that is a long paste", async () => {
    const document = await documentOf(
      [`Why does this fail?\n${"log line\n".repeat(2000)}Fix the last one.`],
      "ok",
    );
    expect(document).toContain("“Why does this fail?");
    expect(document).toContain("Fix the last one.”");
  });
});

test("buildOfflineDocument() without evidence is its sections alone, and no longer than with it", async () => {
  const facts = await collectSession(await openSession(fixtureSession("long")));
  const [whole = "", short = ""] = [true, false].map((evidence) =>
    buildOfflineDocument({ facts, source: SOURCE, budget: 4000, focus: undefined, evidence }),
  );
  expect(whole).toStartWith(short.split("\nLeft out")[0] ?? "");
  expect(estimateTokens(short)).toBeLessThan(1100);
});

test("buildOfflineDocument() quotes a request that was sent twice, a template perhaps, once", async () => {
  const template = `# /exec — Run a spec. Never change other files. ${"Do this and that. ".repeat(30)}`;
  const document = await documentOf([template, template], "Done.");
  // Next Steps name it by its beginning.
  expect(document.match(/# \/exec — Run a spec/g)).toHaveLength(2);
  expect(document).not.toContain("**User requests**");
});

test("buildOfflineDocument() lets what a focus names stand higher", async () => {
  const session = await openSession(fixtureSession("long"));
  const facts = await collectSession(session);
  const build = (focus: string | undefined) =>
    buildOfflineDocument({ facts, source: SOURCE, budget: 600, focus, evidence: true });
  expect(build(undefined)).not.toContain("src/vk/swapchain.cpp");
  expect(build("the swapchain")).toContain("Additional focus: the swapchain");
  expect(build("the swapchain")).toContain("src/vk/swapchain.cpp");
});

test("buildOfflineDocument() does not take an old summary's next steps for pending", async () => {
  const session = await openSession(fixtureSession("compacted"));
  const facts = await collectSession(session);
  const document = buildOfflineDocument({
    facts,
    source: SOURCE,
    budget: 4000,
    focus: undefined,
    evidence: true,
  });
  const { sections } = parseSections(document);
  expect(sections["Next Steps"]).not.toContain("“Make clippy pass”");
  expect(sections.Progress).not.toContain("Clippy warning");
  expect(document).toContain("From the summary, next then: “Make clippy pass”");
});
