import { expect, test } from "bun:test";
import { assistantEntry, sessionWith, userEntry } from "../../testing/session-text.ts";
import { collectSession } from "./collect.ts";
import { constraintQuotes } from "./constraint-quotes.ts";

const texts = (words: string) => constraintQuotes(words).map((quote) => quote.text);

test("constraintQuotes() takes the sentence before along where one has no subject, or points back", () => {
  expect(texts("what do the code blocks use? should be 8ABeB7")).toEqual([
    "what do the code blocks use? should be 8ABeB7",
  ]);
  expect(texts("Look at the cache of the renderer. It must not grow.")).toEqual([
    "Look at the cache of the renderer. It must not grow.",
  ]);
  expect(texts("Look at the cache.\n```\nlog\n```\nIt must not grow.")).toEqual([
    "Look at the cache. … It must not grow.",
  ]);
  expect(texts("needs to be set to 1 for true colors")).toEqual([]);
  expect(texts("must work without JavaScript")).toEqual(["must work without JavaScript"]);
});

test("constraintQuotes() takes what only reports or corrects for no constraint", () => {
  for (const words of [
    "hm, i selected the theme while you were working and got a crash, that should never happen.",
    "it crashed again, this must not happen",
    "no, the block should stay as is",
    "Is it done? If not, never mind.",
  ])
    expect(texts(words)).toEqual([]);
  for (const rule of [
    "It must not crash on empty input.",
    "We must never break the API.",
    "This must never fail.",
  ])
    expect(texts(rule)).toEqual([rule]);
  expect(texts("This exploded when I started it. Invalid themes must NEVER explode!")).toEqual([
    "Invalid themes must NEVER explode!",
  ]);
  expect(texts("it crashed, never use the cache for that")).toEqual([
    "it crashed, never use the cache for that",
  ]);
});

test("collectSession() takes what a request wished for no constraint once the request is taken back", async () => {
  const session = await sessionWith(
    userEntry("a", null, "Make sure toolText is used in the heading. Never touch the schema of the theme."),
    assistantEntry("b", "a"),
    userEntry("c", "b", "actually, make sure that toolTitle is used"),
    assistantEntry("d", "c"),
  );
  const { constraints } = await collectSession(session);
  expect(constraints.map(({ text }) => text)).toEqual([
    "Never touch the schema of the theme.",
    "actually, make sure that toolTitle is used",
  ]);
});
