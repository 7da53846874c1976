// The lines that tell where the work stands: what was asked, how far it came, what comes next.

import { oneLine } from "../base/text.ts";
import { agoText, shortCommand } from "./command-lines.ts";
import { code, middleCut, quote } from "./facts/clip.ts";
import type { CommandFact, EndFact, Facts, QuoteFact, RequestFact } from "./facts/facts.ts";
import { type Line, type Place, quotation } from "./line.ts";

export interface StoryOptions {
  /** What the user wants the document to dwell on. */
  readonly focus: string | undefined;
  /** Tokens that the document may have: a request is quoted at length only where there is room. */
  readonly budget: number;
}

/** In the order in which they are printed. */
export function storyLines(facts: Facts, { focus, budget }: StoryOptions): readonly Line[] {
  const standing = facts.requests.filter((request) => request.supersededBy === undefined);
  const newest = standing.at(-1) ?? facts.requests.at(-1);
  return [
    ...(focus === undefined ? [] : [storyLine("goal", 1000, `Additional focus: ${oneLine(focus, 500)}`)]),
    ...goalLines(standing, newest, Math.min(500, Math.floor(budget * 0.36))),
    ...stateLines(facts),
    ...nextLines(facts, newest),
  ];
}

function storyLine(place: Place, score: number, text: string): Line {
  return { place, group: undefined, score, text };
}

function goalLines(
  standing: readonly RequestFact[],
  newest: RequestFact | undefined,
  shown: number,
): readonly Line[] {
  if (newest === undefined) return [];
  const lines = [
    storyLine(
      "goal",
      200,
      `Newest request: ${quotation(middleCut(newest.text, shown), newest, { max: Math.max(40, shown - newest.text.length) })}`,
    ),
  ];
  // "yes, do it" says nothing without what it answers, nor does a remark without what it is about.
  const needsMore = newest.text.length <= 60 || newest.remark === true;
  const before = needsMore ? standing.slice(-3, -1).reverse() : [];
  for (const [index, request] of before.entries()) {
    lines.push(
      storyLine(
        "goal",
        88 - 8 * index,
        `Before it: ${quotation(middleCut(request.text, 140), request, { max: 160 })}`,
      ),
    );
  }
  const first = standing[0];
  if (first !== undefined && first !== newest && !before.includes(first)) {
    lines.push(
      storyLine(
        "goal",
        standing.length > 12 ? 78 : 87,
        `First request: ${quote(middleCut(first.text, 220))} [${first.entryId}]`,
      ),
    );
  }
  return lines;
}

/** Where the work stopped, and the last words about it. */
function stateLines({ end, lastAnswer, lastWords }: Facts): readonly Line[] {
  const lines: Line[] = [];
  const stopped = end !== null && end.state !== "answered";
  if (end !== null && stopped) {
    const detail = end.detail === "" ? "" : `: ${end.detail}`;
    lines.push(storyLine("inProgress", 95, `${endText(end.state)}${detail} [${end.entryId}]`));
  }
  if (lastWords !== null && lastWords.entryId !== lastAnswer?.entryId) {
    lines.push(
      storyLine(
        "inProgress",
        90,
        `Last words: ${quote(oneLine(lastWords.text, 200))} [${lastWords.entryId}]`,
      ),
    );
  }
  if (lastAnswer !== null) {
    lines.push(
      storyLine(
        "done",
        stopped ? 80 : 98,
        `Last answer: ${quote(middleCut(lastAnswer.text, 280))} [${lastAnswer.entryId}]`,
      ),
    );
    if (lastAnswer.text.length > 280) lines.push(wholeAnswer(lastAnswer));
  }
  return lines;
}

/** What did not fit into the line above, for whoever has room for it. */
function wholeAnswer({ text, entryId }: QuoteFact): Line {
  return {
    place: undefined,
    group: "Last answer",
    score: 64,
    text: `${quote(oneLine(text, 1500))} [${entryId}]`,
  };
}

function endText(state: EndFact["state"]): string {
  switch (state) {
    case "answered":
      return "The newest request was answered";
    case "interrupted":
      return "The work was interrupted";
    case "failed":
      return "The last answer failed";
    case "working":
      return "The session ends in the middle of a turn, after tool calls";
    case "unanswered":
      return "The newest request has no answer yet";
  }
}

const MOST_FAILING = 2;

/** What is to be mended next, each error once. What is stale stands with the evidence alone. */
function failingNow({ failing, agreed }: Facts): readonly CommandFact[] {
  const told = new Set<string>();
  return failing
    .filter((fact) => {
      const isTold = fact.error !== undefined && told.has(fact.error);
      if (fact.error !== undefined) told.add(fact.error);
      return !isTold && fact.stale !== true && !agreed.some((step) => step.entryId === fact.entryId);
    })
    .slice(0, MOST_FAILING);
}

function nextLines(facts: Facts, newest: RequestFact | undefined): readonly Line[] {
  const lines: Line[] = [];
  if (newest !== undefined) {
    const verb =
      facts.end?.state === "answered"
        ? "Answered last, see that it is done"
        : "Go on with the newest request";
    lines.push(storyLine("next", 199, `${verb}: ${quote(oneLine(newest.text, 80))} [${newest.entryId}]`));
  }
  if (facts.question !== null) {
    const { text, entryId } = facts.question;
    lines.push(storyLine("next", 90, `Asked of the user: ${quote(text)} [${entryId}]`));
  }
  for (const [index, step] of facts.agreed.entries()) {
    const state = step.state === "failed" ? "Agreed to, failed" : "Agreed to, not run since";
    const text = `${state}: ${code(oneLine(step.command, 90))} [${step.entryId}]`;
    lines.push(storyLine("next", 93 - index, text));
  }
  for (const [index, fact] of failingNow(facts).entries()) {
    const text = `Fix what fails${agoText(fact)}: ${code(shortCommand(fact.command, facts.cwd))} [${fact.entryId}]`;
    lines.push(storyLine("next", 89 - 20 * index, text));
  }
  for (const [index, step] of facts.announced.entries()) {
    lines.push(
      storyLine("next", 81 - 3 * index, `Announced: ${quote(oneLine(step.text, 180))} [${step.entryId}]`),
    );
  }
  return lines;
}
