// Questions asked of the raw command line, before its flags are parsed: a usage error may come first.

/** What stands before `--`: flags are looked for only there. */
function beforeTerminator(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end < 0 ? argv : argv.slice(0, end);
}

/** Whether one of the words was given. */
export function asksFor(argv: readonly string[], words: readonly string[]): boolean {
  return beforeTerminator(argv).some((word) => words.includes(word));
}

/** A switch by its long name or in a group of short ones: `-q`, `-qv`. */
export function asksForShort(argv: readonly string[], long: string, letter: string): boolean {
  return beforeTerminator(argv).some(
    (word) => word === long || (/^-[A-Za-z]+$/.test(word) && word.includes(letter)),
  );
}

/** Whether the caller wants JSON on stdout; looked up in the words, since a usage error may come before parsing. */
export function asksForJson(argv: readonly string[]): boolean {
  const value = flagValue(argv, "--output");
  return value === "json" || value === "jsonl";
}

/** The value of a flag that takes one, `--name value` or `--name=value`; `undefined` if it was not given. */
export function flagValue(argv: readonly string[], flag: string): string | undefined {
  const before = beforeTerminator(argv);
  const at = before.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const word = before[at];
  if (word === undefined) return undefined;
  return word === flag ? before[at + 1] : word.slice(flag.length + 1);
}
