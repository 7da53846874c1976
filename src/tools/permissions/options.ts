// Finding options in an argument list the way that GNU programs and git read them: long ones may be shortened.

export interface OptionRule {
  /** Options that are refused, with their dashes; any unambiguous beginning of them too. */
  readonly long?: readonly string[];
  /** Letters that are refused in a bundle of short options. */
  readonly short?: string;
  /** Words that are refused as they stand (`find -exec`). */
  readonly words?: readonly string[];
}

/** Checks every argument, also after `--`: where that is the value of an option (`sort -T -- -o x`), it ends nothing. */
export function refuseOptions(
  program: string,
  args: readonly string[],
  rule: OptionRule,
): string | undefined {
  for (const arg of args) {
    if (rule.words?.includes(arg)) return `${program} ${arg} is refused: it runs or writes something else`;
    const long = abbreviated(arg, rule.long ?? []);
    if (long !== undefined) return `${program} ${long} is refused: it runs or writes something else`;
    const letter = shortIn(arg, rule.short ?? "");
    if (letter !== undefined) return `${program} -${letter} is refused: it runs or writes something else`;
  }
  return undefined;
}

/** The refused option that the argument is, or could be short for. */
export function abbreviated(arg: string, refused: readonly string[]): string | undefined {
  if (!arg.startsWith("--") || arg === "--") return undefined;
  const name = arg.split("=", 1)[0] ?? arg;
  return refused.find((option) => option.startsWith(name));
}

/** Short options may carry a value (`-Iprog`), so any refused letter in the word counts. */
function shortIn(arg: string, letters: string): string | undefined {
  if (!/^-[^-]/.test(arg)) return undefined;
  return [...letters].find((letter) => arg.includes(letter));
}
