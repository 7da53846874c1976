// `bun run bench handoff`: how many of the known facts of the fixture sessions a handoff document keeps at 1,000, 2,000
// and 4,000 tokens, for the offline engine, for its default document cut off there, and for the evidence alone; and what
// an offline handoff of a 30 MB session costs beside reading the file and parsing each line.

import { renderEvidence } from "../src/handoff/evidence-text.ts";
import { collectSession } from "../src/handoff/facts/collect.ts";
import { factLines } from "../src/handoff/lines.ts";
import { buildOfflineDocument } from "../src/handoff/offline.ts";
import { openSession } from "../src/session/open.ts";
import {
  factFixtures,
  firstTokens,
  fixtureSession,
  knownFacts,
  type Share,
  shareOfFacts,
} from "../src/testing/handoff-facts.ts";
import { printPeakMemory, speed } from "./handoff-speed.ts";

const BUDGETS = [1000, 2000, 4000] as const;

/** `--missing` lists the facts that are not kept, and leaves the speed out. */
export async function run(args: readonly string[]): Promise<void> {
  const [flag, work = "", path = ""] = args;
  if (flag === "--memory") return await printPeakMemory(work, path);
  await quality(flag === "--missing");
  if (flag === undefined) await speed();
}

async function quality(showMissing: boolean): Promise<void> {
  const sums = new Map<string, { kept: number; total: number; shares: number[] }>();
  console.log(`${"session".padEnd(16)}${BUDGETS.map((budget) => `offline ${budget}`.padEnd(14)).join("")}`);
  for (const name of factFixtures()) {
    const facts = knownFacts(name);
    const documents = await documentsOf(name);
    const row: string[] = [];
    for (const [column, document] of documents) {
      const share = shareOfFacts(facts, document);
      add(sums, column, share);
      if (column.startsWith("offline"))
        row.push(`${(share.kept / share.total).toFixed(2)} ${share.kept}/${share.total}`.padEnd(14));
      if (showMissing && column === "offline 1000")
        for (const text of share.missing) console.log(`  lacks at 1000: ${text}`);
      if (showMissing && column === "offline 4000")
        for (const text of share.missing) console.log(`  lacks at 4000: ${text}`);
    }
    console.log(`${name.padEnd(16)}${row.join("")}`);
  }
  console.log("\nshare of all facts (mean of the sessions' shares)");
  for (const [column, sum] of sums) {
    const mean = sum.shares.reduce((a, b) => a + b, 0) / sum.shares.length;
    console.log(`${column.padEnd(24)}${(sum.kept / sum.total).toFixed(3)}  (${mean.toFixed(3)})`);
  }
}

async function documentsOf(name: string): Promise<readonly (readonly [string, string])[]> {
  const session = await openSession(fixtureSession(name));
  const facts = await collectSession(session);
  const build = (budget: number) =>
    buildOfflineDocument({
      facts,
      source: { id: session.header.id, cwd: session.header.cwd, format: session.format },
      budget,
      focus: undefined,
      evidence: true,
    });
  const whole = build(4000);
  return [
    ...BUDGETS.map((budget) => [`offline ${budget}`, build(budget)] as const),
    ...BUDGETS.map((budget) => [`first ${budget} of 4000`, firstTokens(whole, budget)] as const),
    ...BUDGETS.map(
      (budget) => [`evidence ${budget}`, renderEvidence(factLines(facts, budget), budget).text] as const,
    ),
  ];
}

function add(
  sums: Map<string, { kept: number; total: number; shares: number[] }>,
  column: string,
  share: Share,
): void {
  const sum = sums.get(column) ?? { kept: 0, total: 0, shares: [] };
  sums.set(column, {
    kept: sum.kept + share.kept,
    total: sum.total + share.total,
    shares: [...sum.shares, share.kept / share.total],
  });
}
