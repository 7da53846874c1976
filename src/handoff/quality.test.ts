import { expect, test } from "bun:test";
import { openSession } from "../session/open.ts";
import { getBranch } from "../session/tree.ts";
import {
  factFixtures,
  falseFacts,
  firstTokens,
  fixtureSession,
  knownFacts,
  shareOfFacts,
} from "../testing/handoff-facts.ts";
import { collectFacts, collectSession } from "./facts/collect.ts";
import { buildOfflineDocument } from "./offline.ts";

async function documentOf(name: string, budget: number): Promise<string> {
  const session = await openSession(fixtureSession(name));
  const { header, format } = session;
  const source = { id: header.id, cwd: header.cwd, format };
  return buildOfflineDocument({
    facts: await collectSession(session),
    source,
    budget,
    focus: undefined,
    evidence: true,
  });
}

for (const name of factFixtures()) {
  test(`buildOfflineDocument() keeps the facts of ${name}, and claims nothing else`, async () => {
    const facts = knownFacts(name);
    const whole = await documentOf(name, 4000);
    const share = shareOfFacts(facts, whole);
    expect(share.missing).toEqual([]);
    expect(falseFacts(facts, whole)).toEqual([]);
  });

  test(`collectSession() finds in ${name} what collectFacts() finds`, async () => {
    const session = await openSession(fixtureSession(name));
    expect(await collectSession(session)).toEqual(collectFacts(session.header, getBranch(session)));
  });
}

test("buildOfflineDocument() keeps most facts in its first thousand tokens", async () => {
  const shares: number[] = [];
  for (const name of factFixtures()) {
    const [facts, whole, small] = [
      knownFacts(name),
      await documentOf(name, 4000),
      await documentOf(name, 1000),
    ];
    for (const document of [firstTokens(whole, 1000), small]) {
      const { kept, total } = shareOfFacts(facts, document);
      shares.push(kept / total);
    }
  }
  const mean = shares.reduce((a, b) => a + b, 0) / shares.length;
  expect(mean).toBeGreaterThanOrEqual(0.85);
});
