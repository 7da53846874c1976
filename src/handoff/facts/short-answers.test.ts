import { expect, test } from "bun:test";
import { assistantEntry, sessionWith, userEntry } from "../../testing/session-text.ts";
import { collectSession } from "./collect.ts";
import type { Facts } from "./facts.ts";

/** A talk: the assistant's texts at odd places. */
async function talk(...texts: readonly string[]): Promise<Facts> {
  const entries = texts.map((text, at) => {
    const parent = at === 0 ? null : `e${at - 1}`;
    return at % 2 === 0
      ? userEntry(`e${at}`, parent, text)
      : assistantEntry(`e${at}`, parent, { content: [{ type: "text", text }] });
  });
  return await collectSession(await sessionWith(...entries));
}

const OPTIONS = `The token is unused. We have two options:

1. **Remove the token** - nothing needs it, because the output is muted
2. **Use the token** - in the heading instead of bold
`;

/** What the last request answers, and what was decided. */
async function answered(answer: string, before: string) {
  const { requests, decisions } = await talk("look at it", before, answer);
  return {
    answers: requests.at(-1)?.answers?.text,
    decisions: decisions.map(({ text, chose, answers }) => [text, chose?.text ?? answers?.text]),
  };
}

test("collectSession() tells what a short assent answers: the question with the list before it", async () => {
  const proposed = "All is ready.\n\nThe steps are:\n```bash\ngit tag v1\ngit push\n```\n\nShould I proceed?";
  for (const yes of ["yes", "yeah, do it all", "OK go!", "sure, go ahead", "ja bitte", "yes, but slowly"]) {
    expect(await answered(yes, proposed)).toEqual({
      answers: "The steps are: ⏎ git tag v1 ⏎ git push ⏎ Should I proceed?",
      decisions: [],
    });
  }
});

test("collectSession() takes nothing for a short answer that says what it wants itself", async () => {
  for (const words of ["now fix the tests", "no", "continue", "what?", "/review"])
    expect((await answered(words, "Done. Should I commit?")).answers).toBeUndefined();
  expect((await answered("yes", "Done.")).answers).toBeUndefined();
  expect((await answered("yes", "Hello! How can I help you?")).answers).toBeUndefined();
});

test("collectSession() takes an option of a list for no decision, and what chooses one for one", async () => {
  expect((await talk("look", `${OPTIONS}\nWhat do you think?`)).decisions).toEqual([]);
  const chosen = "I think option 2 makes more sense - the heading should use it.";
  const { decisions } = await talk("look", `${OPTIONS}\n${chosen} Let me do that:\n- a\n- b`);
  expect(decisions).toEqual([
    {
      text: chosen,
      weight: 3,
      chose: { text: "**Use the token** - in the heading instead of bold", entryId: "e1" },
      entryId: "e1",
    },
  ]);
});

test("collectSession() takes the user's choice for a decision, with what it chose", async () => {
  const first = "**Remove the token** - nothing needs it, because the output is muted";
  const second = "**Use the token** - in the heading instead of bold";
  for (const [words, option] of [
    ["2", second],
    ["do 2", second],
    ["option 2 please", second],
    ["Option B.", second],
    ["yes, the second", second],
    ["the first one", first],
    ["let's go with option 1, it is simpler", first],
  ] as const)
    expect((await answered(words, `${OPTIONS}\nI think option 2 is better. Which one?`)).decisions).toEqual([
      [words, option],
    ]);
});

test("collectSession() takes for no choice what only has a number or a letter", async () => {
  for (const words of [
    "2 tests still fail",
    "a new list",
    "not option 2",
    "why option 2?",
    "add a third test",
    "the first one fails",
    "1. fix it\n2. push it",
  ])
    expect((await answered(words, `${OPTIONS}\nWhich one?`)).decisions).toEqual([]);
});

test("collectSession() takes an answer to a question with or for a choice", async () => {
  const asked = "That is a minor release. Or do you want a patch release?";
  expect((await answered("minor, this is a big change", asked)).decisions).toEqual([
    ["minor, this is a big change", asked],
  ]);
  expect((await answered("actually, the colour is wrong", asked)).decisions).toEqual([]);
});

test("collectSession() takes the report of a change for no decision, and a reason that somebody gives for one", async () => {
  const { decisions } = await talk(
    "go",
    "The footer now uses dim instead of muted.\nUpdated all tests to use themes rather than colours.\n- Fixed the imports to use the index instead of files\nWe keep SQLite because nothing else runs here.",
  );
  expect(decisions.map(({ text }) => text)).toEqual(["We keep SQLite because nothing else runs here."]);
});

test("collectSession() takes an option that was chosen for a request that was taken back for no decision", async () => {
  const chosen = `${OPTIONS}\nI think option 2 makes more sense.`;
  expect((await talk("look", chosen, "actually, remove the token", "Done.")).decisions).toEqual([]);
  expect((await talk("look", chosen, "now the tests", "Done.")).decisions).toHaveLength(1);
});
