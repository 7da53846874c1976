import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../base/json.ts";
import type { ModelEvent } from "../model/model.ts";
import { ruleOf, ttsrRules } from "../testing/rules.ts";
import type { WatchedArguments } from "./stream.ts";
import { createWatch } from "./watch.ts";

const WATCHED: ReadonlyMap<string, WatchedArguments> = new Map([
  ["write", { path: "path", text: ["content"] }],
  ["edit", { path: "path", text: ["newText", "edits.newText"] }],
]);

interface Call {
  readonly tool: string;
  readonly args: JsonObject;
  /** The pieces in which the arguments come; left out: only the whole call comes. */
  readonly pieces?: readonly string[];
}

type RuleText = readonly [name: string, frontMatter: string];

/** What fired in a message of these calls: `rule@offset argument path`. */
function firesOf(rules: readonly RuleText[], ...calls: readonly Call[]): readonly string[] {
  const registered = ttsrRules(rules.map(([name, lines]) => ruleOf(name, lines)));
  const watch = createWatch(registered, { cwd: "/project", watched: WATCHED });
  const events = calls.flatMap(({ tool, args, pieces = [] }, contentIndex): ModelEvent[] => [
    { type: "toolcall_start", contentIndex, id: `call${contentIndex}`, name: tool },
    ...pieces.map((delta): ModelEvent => ({ type: "toolcall_delta", contentIndex, delta })),
    {
      type: "toolcall_end",
      contentIndex,
      toolCall: { type: "toolCall", id: `call${contentIndex}`, name: tool, arguments: args },
    },
  ]);
  return [{ type: "start" } as const, ...events].flatMap((event) =>
    watch.push(event).map((fire) => {
      const where = (fire.argument ?? []).join(".");
      return `${fire.rule.name}@${fire.at}${fire.atEnd ? "$" : ""} ${fire.toolCallId} ${where} ${fire.path}`;
    }),
  );
}

const unitByUnit = (args: JsonObject) => [...JSON.stringify(args)];
const NO_ANY: RuleText = ["no-any", "condition: ': any;'\nglobs: '*.ts'"];

describe("a watched tool call", () => {
  test("shows the text being written, not its JSON escaping", () => {
    const args = { path: "src/a.ts", content: 'let x:\t"any" | any;' };
    const rule: RuleText = ["tab", "condition: '\\t\"any'"];
    expect(firesOf([rule], { tool: "write", args, pieces: unitByUnit(args) })).toEqual([
      "tab@11 call0 content src/a.ts",
    ]);
  });

  test.each([["*.ts"], ["src/**"], ["/project/src/*.ts"], ["./src/a.ts"]])("knows its path by %s", (glob) => {
    const args = { path: "/project/src/a.ts", content: "x: any;" };
    const rule: RuleText = ["r", `condition: any\nscope: tool:write(${glob})`];
    const expected = glob.startsWith("/project") ? [] : ["r@6 call0 content /project/src/a.ts"];
    expect(firesOf([rule], { tool: "write", args, pieces: unitByUnit(args) })).toEqual(expected);
  });

  test("fires no rule for *.ts on a Markdown path, whichever comes first", () => {
    const before = { path: "README.md", content: "x: any;" };
    const after = { content: "x: any;", path: "README.md" };
    for (const args of [before, after]) {
      expect(firesOf([NO_ANY], { tool: "write", args, pieces: unitByUnit(args) })).toEqual([]);
    }
  });

  test("holds what depends on the path until the path has come", () => {
    const args = { content: "x: any;", path: "a.ts" };
    expect(firesOf([NO_ANY], { tool: "write", args, pieces: unitByUnit(args) })).toEqual([
      "no-any@7 call0 content a.ts",
    ]);
  });

  test("knows the last of two paths, as whoever reads the arguments does", () => {
    const args = { path: "a.ts", content: "x: any;" };
    for (const text of [
      '{"path": "a.md", "content": "x: any;", "path": "a.ts"}',
      '{"path": "a.md", "path": "a.ts", "content": "x: any;"}',
    ]) {
      expect(firesOf([NO_ANY], { tool: "write", args, pieces: [...text] })).toEqual([
        "no-any@7 call0 content a.ts",
      ]);
    }
  });

  test("takes the first argument that names a file for the path of another tool", () => {
    const args = { file: "a.md", path: "a.ts", code: "x: any;" };
    expect(firesOf([NO_ANY], { tool: "copy", args })).toEqual([]);
    expect(firesOf([["md", "condition: any\nglobs: '*.md'"]], { tool: "copy", args })).toHaveLength(1);
  });

  test("does not apply globs to a call without a path", () => {
    const args = { content: "x: any;" };
    expect(firesOf([NO_ANY], { tool: "write", args, pieces: unitByUnit(args) })).toEqual([]);
  });

  test("does not look at the text that an edit replaces", () => {
    const args = { path: "a.ts", oldText: "x: any;", newText: "x: string;" };
    expect(firesOf([NO_ANY], { tool: "edit", args, pieces: unitByUnit(args) })).toEqual([]);
  });

  test("looks at each text of a list by itself", () => {
    const args = { path: "a.ts", edits: [{ newText: "x: " }, { newText: "any;" }, { newText: "y: any;" }] };
    expect(firesOf([NO_ANY], { tool: "edit", args, pieces: unitByUnit(args) })).toEqual([
      "no-any@7 call0 edits.2.newText a.ts",
    ]);
  });

  test("shows every string argument of another tool", () => {
    const args = { command: "rm -rf /", note: "rm -rf again" };
    const rule: RuleText = ["rm", "condition: 'rm -rf'\nscope: tool:bash"];
    expect(firesOf([rule], { tool: "bash", args, pieces: unitByUnit(args) })).toEqual([
      "rm@6 call0 command undefined",
    ]);
  });

  test.each(["path", "filename", "target_file"])("takes %s of another tool for its path", (name) => {
    const args = { [name]: "a.ts", code: "x: any;" };
    expect(firesOf([NO_ANY], { tool: "patch", args })).toEqual(["no-any@7 call0 code a.ts"]);
  });

  test("is judged alone: a sibling is not blamed", () => {
    const bad = { path: "a.ts", content: "x: any;" };
    const good = { path: "b.ts", content: "x: string;" };
    expect(
      firesOf(
        [NO_ANY],
        { tool: "write", args: good, pieces: unitByUnit(good) },
        { tool: "write", args: bad },
        { tool: "write", args: good },
      ),
    ).toEqual(["no-any@7 call1 content a.ts"]);
  });

  test("is read from its end when the pieces are not JSON", () => {
    const args = { path: "a.ts", content: "x: any;" };
    expect(firesOf([NO_ANY], { tool: "write", args, pieces: ["{'path': "] })).toEqual([
      "no-any@7 call0 content a.ts",
    ]);
  });

  test("is not watched by a rule for another tool", () => {
    const args = { path: "a.ts", content: "x: any;" };
    const rule: RuleText = ["r", "condition: any\nscope: tool:edit"];
    expect(firesOf([rule], { tool: "write", args })).toEqual([]);
  });

  test("fires the same however its arguments are cut, or whole", () => {
    const rules: readonly RuleText[] = [
      NO_ANY,
      ["two", "condition: 'b{2}'"],
      ["md", "condition: a\nglobs: '*.md'"],
      ["quote", "condition: '\"\\n'"],
    ];
    const args = fc.record({
      content: fc.string({ unit: fc.constantFrom("a", "b", ": any;", "\n", '"', "é", "😀") }),
      path: fc.constantFrom("a.ts", "b.md", "src/c.ts"),
    });
    const cutArgs = args.chain((value) => {
      const text = JSON.stringify(value);
      return fc.tuple(fc.constant(value), fc.array(fc.nat(text.length)));
    });
    fc.assert(
      fc.property(cutArgs, ([value, places]) => {
        const text = JSON.stringify(value);
        const sorted = [0, ...places, text.length].sort((a, b) => a - b);
        const pieces = sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
        const whole = firesOf(rules, { tool: "write", args: value });
        expect(firesOf(rules, { tool: "write", args: value, pieces }).toSorted()).toEqual(whole.toSorted());
      }),
    );
  });
});
