import { describe, expect, test } from "bun:test";
import { ruleOf, ttsrRules } from "../testing/rules.ts";
import { createFilter, type OnMatch } from "./filter.ts";

interface Setup {
  readonly rules: readonly (readonly [name: string, frontMatter: string])[];
  readonly onMatch?: OnMatch;
  readonly maxHold?: number;
}

/** What each piece of a text lets out, what was reported, and how it ended. */
function run({ rules, onMatch = "stop", maxHold = 1_000 }: Setup, pieces: readonly string[]) {
  const registered = ttsrRules(rules.map(([name, lines]) => ruleOf(name, lines)));
  const filter = createFilter({ rules: registered, onMatch, maxHold });
  const out: string[] = [];
  const reports: string[] = [];
  let end: string | undefined;
  const take = (step: ReturnType<typeof filter.push>): void => {
    out.push(step.write);
    for (const { rule, action, position } of step.reports) {
      reports.push(`${rule.name} ${action} ${position.line}:${position.column}`);
    }
    end = step.end;
  };
  for (const piece of pieces) {
    if (end === undefined) take(filter.push(piece));
  }
  if (end === undefined) take(filter.end());
  return { text: out.join(""), out, reports, end };
}

const FOO = ["foo", "condition: 'foo\\d'"] as const;
const BAR = ["bar", "condition: 'bar'\nseverity: warning"] as const;
const singly = (text: string) => [...text];

describe("createFilter() with stop", () => {
  test("writes everything when no rule matches", () => {
    expect(run({ rules: [FOO] }, singly("fo foo, food\n"))).toMatchObject({
      text: "fo foo, food\n",
      reports: [],
      end: undefined,
    });
  });

  test("writes nothing of a match, however the text is cut", () => {
    const text = "one\ntwo foo1 three";
    for (const pieces of [singly(text), [text], ["one\ntwo f", "oo1 three"]]) {
      expect(run({ rules: [FOO] }, pieces)).toMatchObject({
        text: "one\ntwo ",
        reports: ["foo stopped 2:5"],
        end: "stopped",
      });
    }
  });

  test("reports warnings and lets them pass", () => {
    expect(run({ rules: [FOO, BAR] }, ["a bar\n", "b bar foo1"])).toMatchObject({
      text: "a bar\nb bar ",
      reports: ["bar passed 1:6", "foo stopped 2:7"],
      end: "stopped",
    });
  });

  test("ends before the earliest of matches that are decided together", () => {
    const long = ["long", "condition: 'a foo1'"] as const;
    expect(run({ rules: [FOO, long] }, singly("see a foo1"))).toMatchObject({
      text: "see ",
      reports: ["foo stopped 1:7", "long stopped 1:5"],
    });
  });

  test("holds nothing for rules that only warn", () => {
    expect(run({ rules: [BAR] }, ["x ba", "r y"]).out).toEqual(["x ba", "r y", ""]);
  });

  test("uses no rule that does not watch text", () => {
    const thinking = ["t", "condition: foo\nscope: thinking"] as const;
    const files = ["f", "condition: foo\nglobs: '*.ts'"] as const;
    expect(run({ rules: [thinking, files] }, ["foo"])).toMatchObject({ out: ["foo", ""], reports: [] });
  });

  test("ends when more would have to be held than is allowed, and writes nothing of it", () => {
    const open = ["open", "condition: 'BEGIN[^]*END'"] as const;
    const { text, end } = run({ rules: [open], maxHold: 600 }, [
      `${"x".repeat(500)}BEGIN${"y".repeat(100)}`,
      "z".repeat(1_000),
      "END",
    ]);
    expect({ text, end }).toEqual({ text: "x".repeat(500), end: "overflow" });
  });

  test("holds megabytes that come in small pieces, each looked at once", () => {
    const open = ["open", "condition: 'BEGIN[^]*END'"] as const;
    const pieces = new Array<string>(500_000).fill("abcdefgh");
    const { text, end } = run({ rules: [open], maxHold: 8_000_000 }, ["BEGIN", ...pieces]);
    expect({ units: text.length, end }).toEqual({ units: 4_000_005, end: undefined });
  });

  test("does not part a surrogate pair", () => {
    const half = ["half", "condition: '\\uDE00'"] as const;
    expect(run({ rules: [half] }, ["a 😀 b"]).text).toBe("a ");
  });
});

describe("createFilter() with redact", () => {
  const redact = (rules: Setup["rules"], pieces: readonly string[]) =>
    run({ rules, onMatch: "redact" }, pieces);

  test("puts the rule's name in the place of every match", () => {
    const text = "foo1 and foo2\nfoo3foo4 food";
    for (const pieces of [singly(text), [text]]) {
      expect(redact([FOO], pieces)).toMatchObject({
        text: "[rule:foo] and [rule:foo]\n[rule:foo][rule:foo] food",
        reports: ["foo redacted 1:1", "foo redacted 1:10", "foo redacted 2:1", "foo redacted 2:5"],
        end: undefined,
      });
    }
  });

  test("lets nothing out of a match that began before another rule fires", () => {
    const both: Setup["rules"] = [
      ["key", "condition: 'key=\\w+ end'"],
      ["quoted", "condition: '(k)ey=\\w+ \\1nd'"],
      ["foo", "condition: foo"],
    ];
    for (const [text, name] of [
      ["x key=foo end y", "key"],
      ["x key=foo knd y", "quoted"],
    ] as const) {
      for (const pieces of [[text], singly(text)]) {
        expect(redact(both, pieces).text).toBe(`x [rule:${name}] y`);
        expect(run({ rules: both }, pieces).text).toBe("x ");
      }
    }
    const secret: Setup["rules"] = [
      ["secret", "condition: '([\"\\x27])s3cret\\1'"],
      ["todo", "condition: TODO"],
    ];
    const text = `a 's3cret' TODO and more${" words".repeat(100)}`;
    expect(run({ rules: secret }, [text]).text).toBe("a ");
    expect(redact(secret, [text]).text).toBe(`a [rule:secret] [rule:todo] and more${" words".repeat(100)}`);
    expect(redact(both, ["x key=foo and y"]).text).toBe("x key=[rule:foo] and y");
  });

  test("cuts out a match that begins at the character that decided the one before", () => {
    const text = "x\n// TODO a\n// TODO b\n// TODO c\nend\n";
    for (const pieces of [[text], singly(text)]) {
      expect(redact([["todo", "condition: '(?m)\\n// TODO.*$'"]], pieces)).toMatchObject({
        text: "x[rule:todo][rule:todo][rule:todo]\nend\n",
        reports: ["todo redacted 1:2", "todo redacted 2:10", "todo redacted 3:10"],
      });
    }
    expect(redact([["foo", "condition: 'foo(?!d)'"]], ["foofoo foofood"]).text).toBe(
      "[rule:foo][rule:foo] [rule:foo]food",
    );
  });

  test("cuts out what is decided at that offset; what follows is read anew", () => {
    expect(redact([["many", "condition: 'x+'"]], singly("axxb")).text).toBe("a[rule:many][rule:many]b");
  });

  test("covers matches that overlap by the leftmost", () => {
    const long = ["long", "condition: 'a foo1'"] as const;
    expect(redact([FOO, long], singly("see a foo1.")).text).toBe("see [rule:long].");
  });

  test("cuts out the rest of a match that began in what was cut out before", () => {
    const later = ["later", "condition: 'oo1 end'"] as const;
    expect(redact([FOO, later], singly("a foo1 end b")).text).toBe("a [rule:foo][rule:later] b");
  });

  test("lets warnings pass", () => {
    expect(redact([FOO, BAR], ["bar foo1"]).text).toBe("bar [rule:foo]");
  });

  test("leaves no half of a surrogate pair", () => {
    const half = ["half", "condition: '\\uD83D'"] as const;
    const { text } = redact([half], ["a 😀 b"]);
    expect(text).toBe("a [rule:half] b");
  });
});

describe("createFilter() with warn", () => {
  test("writes everything as it comes and reports each rule once", () => {
    expect(run({ rules: [FOO, BAR], onMatch: "warn" }, ["foo1 ", "ba", "r foo2"])).toEqual({
      text: "foo1 bar foo2",
      out: ["foo1 ", "ba", "r foo2", ""],
      reports: ["foo passed 1:5", "bar passed 1:9"],
      end: undefined,
    });
  });
});
