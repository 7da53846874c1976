import { expect, test } from "bun:test";
import fc from "fast-check";
import { shellChanges } from "./shell-files.ts";
import { parseCommandLine } from "./shell-words.ts";

const CHANGES: readonly (readonly [string, readonly string[]])[] = [
  ["cat > notes.md <<'EOF'\nif a > b: print('x > y')\nEOF", ["write notes.md"]],
  ["echo hi >> log/out.txt", ["edit log/out.txt"]],
  ["sed -i 's/a/b/' one.ts two.ts", ["edit one.ts", "edit two.ts"]],
  ["sed -i '' -e 's/a/b/' one.ts", ["edit one.ts"]],
  ["cd app && tee conf.ini < x", ["write app/conf.ini"]],
  ["mv old.ts new.ts", ["delete old.ts", "write new.ts"]],
  ["git mv a.ts lib/a.ts && git rm b.ts", ["delete a.ts", "write lib/a.ts", "delete b.ts"]],
  ["rm -f dist.txt", ["delete dist.txt"]],
  ["bun test > /dev/null 2>&1", []],
  ["bun test 2>&1 | tee /tmp/log", []],
  ["python -c 'print(1 > 0)'", []],
  ["[[ $n > 10 && -f x ]] && echo a > b.txt", ["write b.txt"]],
  ["(( n > max )) && for ((i=0; i<9; i++)); do echo a > b.txt; done", ["write b.txt"]],
  ["if [ -f a ]; then rm b.txt; else touch c.txt; fi", ["delete b.txt", "write c.txt"]],
  ["(cd app && echo x > a.txt); echo y > b.txt", ["write app/a.txt", "write b.txt"]],
  [
    "cd a; (cd b; ( (touch c.txt) ); touch d.txt); touch e.txt",
    ["write a/b/c.txt", "write a/b/d.txt", "write a/e.txt"],
  ],
  ["case $x in a) touch b.txt;; esac; touch c.txt", ["write b.txt", "write c.txt"]],
  ["wc -c <<< text\necho a > b.txt", ["write b.txt"]],
  ["awk '$1 > 5' data.csv", []],
  ['node -e "const f = (a) => a > 3"', []],
  ["[ $x -gt 3 ] && echo yes > $OUT", []],
  ["ls *.ts > $(date).txt", []],
  ["sed -n '1,5p' a.ts", []],
  ["grep -c '->' src/a.rs", []],
  ["rm -rf node_modules build", []],
  ["cat a.txt | sort > sorted.txt # not > this.txt", ["write sorted.txt"]],
];

for (const [line, expected] of CHANGES) {
  test(`shellChanges() of ${JSON.stringify(line)}`, () => {
    expect(shellChanges(line).map(({ kind, path }) => `${kind} ${path}`)).toEqual([...expected]);
  });
}

test("parseCommandLine() reads quotes, pipes and assignments", () => {
  expect(parseCommandLine(`A=1 FOO="b c" run 'a b' "c \\"d\\"" e\\ f | tail -5; end`)).toEqual([
    { words: ["run", "a b", 'c "d"', "e f"], redirects: [], depth: 0, separator: "|" },
    { words: ["tail", "-5"], redirects: [], depth: 0, separator: ";" },
    { words: ["end"], redirects: [], depth: 0, separator: "" },
  ]);
});

test("parseCommandLine() tells what follows a group of the last command in it", () => {
  const separators = (line: string) => parseCommandLine(line).map(({ separator }) => separator);
  expect(separators("(cd a && npm test) | tail -3")).toEqual(["&&", "|", ""]);
  expect(separators("(cd a; npm test) && echo ok")).toEqual([";", "&&", ""]);
  expect(separators("(npm test)")).toEqual([""]);
});

test("parseCommandLine() ends on any text", () => {
  const text = fc.string({
    unit: fc.constantFrom("'", '"', "`", "$(", ")", "<<", "EOF", "\n", " ", ">", "&", "|", "\\", "a"),
  });
  fc.assert(fc.property(text, (line) => expect(Array.isArray(parseCommandLine(line))).toBe(true)));
});
