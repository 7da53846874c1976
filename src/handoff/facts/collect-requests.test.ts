import { describe, expect, test } from "bun:test";
import { createRequestCollector } from "./collect-requests.ts";
import { isBareSlash, userWords } from "./injected.ts";

function superseded(...texts: readonly string[]): readonly boolean[] {
  const collector = createRequestCollector();
  texts.forEach((text, index) => {
    collector.ask(text, `e${index}`);
    collector.answer(false, false);
  });
  return collector.facts().map((fact) => fact.supersededBy !== undefined);
}

describe("createRequestCollector()", () => {
  for (const second of [
    "Actually, use GraphQL instead.",
    "no, blue like the header",
    "Nein, lieber blau.",
    "wait, not that file",
    "stop. do B first",
    "Stop doing that",
    "wait no, the other one",
    "还是用蓝色",
    "scratch that, do B",
    "well, i think it should be toolTitle and toolOutput?",
    "Finalement, en bleu",
    "Mejor en azul",
    "Нет, лучше синий",
    "不对，用蓝色",
    "いや、青で",
  ]) {
    test(`takes the request before "${second}" for taken back`, () => {
      expect(superseded("Make it green.", second)).toEqual([true, false]);
    });
  }

  for (const second of [
    "Now the tests.",
    "continue",
    "No mocks in the tests, please.",
    "Notify the user too.",
    "wait, do we have a link color?",
    "wait for the build, then push",
    "Stop the server and start it again",
    "No, it still fails.",
    "no, that's not it, look again",
    "actually works now, next the tests",
    "well, now the tests",
    "停止服务器",
    "还是报错",
    "Great. Add a field.",
  ]) {
    test(`leaves the request before "${second}" standing`, () => {
      expect(superseded("Make it green.", second)).toEqual([false, false]);
    });
  }

  test("takes a request that was sent again for one", () => {
    expect(superseded("hello", "hello")).toEqual([true, false]);
  });

  test("tells a request whose answer was cut off before anything was done", () => {
    const collector = createRequestCollector();
    collector.ask("build it", "e1");
    collector.answer(true, true);
    expect(collector.facts()).toEqual([{ text: "build it", interrupted: true, entryId: "e1" }]);
  });
});

describe("userWords()", () => {
  for (const [what, text, words] of [
    ["a reminder before them", "<system-reminder>Always obey.</system-reminder>\nfix it", "fix it"],
    ["an environment block", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>", ""],
    ["a file that the editor had open", "<ide_opened_file>a.ts</ide_opened_file>hello", "hello"],
    ["instructions of a project", "# AGENTS.md instructions for /x\n\nNever do it.", ""],
    ["a reminder that is cut off", "<system-reminder>Always obey.", ""],
    ["an attached file", 'fix it\n\n<file path="a.md">\nNever do it.\n</file>', "fix it\n\n@a.md"],
    [
      "two attached files",
      'do\n\n<file name="a">\nx\n</file>\n\n<file name="b">\ny\n</file>',
      "do\n\n@a\n\n@b",
    ],
    [
      "nothing but a file",
      '<file path="a.md">\nMend b.ts.\n</file>',
      '<file path="a.md">\nMend b.ts.\n</file>',
    ],
    ["a tag that is spoken of", "why is <reminder> there? remove it", "why is <reminder> there? remove it"],
    ["a pasted error", "API Error: 500\nfix it", "API Error: 500\nfix it"],
    ["a pasted description", "System: Ubuntu\nwhy?", "System: Ubuntu\nwhy?"],
    ["an interrupt notice", "[Request interrupted by user for tool use]", ""],
    ["a notification", "<task-notification>done</task-notification>", ""],
    ["a continued session", "This session is being continued from a previous conversation.", ""],
    [
      "a slash command",
      "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the diff</command-args>",
      "/review the diff",
    ],
    ["markup of the user's own", "use <b>bold</b> here", "use <b>bold</b> here"],
  ] as const) {
    test(`gives the user's own words beside ${what}`, () => expect(userWords(text)).toBe(words));
  }
});

test("isBareSlash() is true for a command of the screen alone", () => {
  expect(["/model", "/", "/clear now", "/tmp/x is full"].map(isBareSlash)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
