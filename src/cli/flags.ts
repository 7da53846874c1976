// Parsing of flags by the platform's own `parseArgs`, in its token form: values keep their text, repeated flags are
// errors unless they may repeat, an unknown word names its nearest neighbour. A flag validates and does nothing else.

import { parseDuration } from "../base/duration.ts";
import { AppError } from "../base/errors.ts";
import type { FlagSpec, ParsedFlags, WordPlace } from "./command.ts";

interface Given {
  readonly spec: FlagSpec;
  readonly values: string[];
}

export interface ParsedLine {
  readonly flags: ParsedFlags;
  readonly args: readonly string[];
}

export interface LineContext {
  /** The way out for a flag that is near no other. */
  readonly help?: string;
  /** Where a word after a flag is looked up, to tell a value from a prompt; without it none is taken for a value. */
  readonly place?: WordPlace;
}

/**
 * Parses what follows the command's words. Throws `AppError` (`usage`) for an unknown flag, a missing or bad value, a
 * value where none belongs or after a space that must be `=`, or a flag given twice. After `--` everything is positional.
 */
export async function parseFlags(
  argv: readonly string[],
  specs: readonly FlagSpec[],
  { help = "agent --help lists the flags of every command.", place }: LineContext = {},
): Promise<ParsedLine> {
  const byName = new Map(specs.map((spec) => [spec.name, spec]));
  const byShort = new Map(
    specs.flatMap((spec) => (spec.short === undefined ? [] : [[spec.short, spec] as const])),
  );
  const given = new Map<string, Given>();
  const args: string[] = [];
  const tokens = argv.length === 0 ? [] : await tokensOf(argv, specs);
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "positional") args.push(token.value);
    if (token.kind !== "option") continue;
    const long = token.rawName.startsWith("--");
    const spec = long
      ? byName.get(token.name)
      : (byShort.get(token.rawName.slice(1)) ?? shortByName(byName, token.name));
    if (spec === undefined) throw await unknownFlag(token.rawName, specs, help);
    if (token.inlineValue === false && token.value?.startsWith("-") && token.value.length > 1) {
      const flag = `--${spec.name}`;
      throw usage(
        `${flag} needs a value, but "${token.value}" follows`,
        `If that is the value: ${flag}=${token.value}`,
      );
    }
    if (token.value !== undefined) await checkChoice(spec, token.value);
    take(given, spec, token.value);
    if (token.value === undefined) refuseMistakenSpace(spec, tokens[index + 1], place);
  }
  return { flags: flagsOver(given, byName), args };
}

/** `--allow-run git,npm` would allow every program, and ask the model to "git,npm". */
function refuseMistakenSpace(spec: FlagSpec, next: Token | undefined, place: WordPlace | undefined): void {
  if (next?.kind !== "positional" || place === undefined) return;
  if (spec.looksLikeValue?.(next.value, place) !== true) return;
  const flag = `--${spec.name}`;
  const otherwise = "put it before the flag, or after --";
  if (spec.value.kind === "switch")
    throw usage(
      `${flag} takes no value, but "${next.value}" follows`,
      `If that is the prompt: ${otherwise}.`,
    );
  throw usage(
    `${flag} takes its value after "=", but "${next.value}" follows a space`,
    `If that is the value: ${flag}=${next.value}. If it is the prompt: ${otherwise}.`,
  );
}

type Token =
  | { readonly kind: "positional"; readonly value: string }
  | {
      readonly kind: "option";
      readonly name: string;
      readonly rawName: string;
      readonly value?: string | undefined;
      readonly inlineValue?: boolean | undefined;
    }
  | { readonly kind: "option-terminator" };

/** The platform's parser takes half a millisecond to load, a tenth of what an empty program takes: only for words. */
async function tokensOf(argv: readonly string[], specs: readonly FlagSpec[]): Promise<readonly Token[]> {
  const { parseArgs } = await import("node:util");
  const options = Object.fromEntries(
    specs.map((spec) => [
      spec.name,
      {
        type: takesNextWord(spec) ? ("string" as const) : ("boolean" as const),
        ...(spec.short === undefined ? {} : { short: spec.short }),
      },
    ]),
  );
  const parsed = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  return parsed.tokens;
}

function takesNextWord(spec: FlagSpec): boolean {
  return spec.value.kind !== "switch" && !(spec.value.kind === "text" && spec.value.optional === true);
}

function shortByName(byName: ReadonlyMap<string, FlagSpec>, name: string): FlagSpec | undefined {
  const spec = byName.get(name);
  return spec?.short === undefined ? undefined : spec;
}

function take(given: Map<string, Given>, spec: FlagSpec, value: string | undefined): void {
  const flag = `--${spec.name}`;
  if (spec.value.kind === "switch" && value !== undefined)
    throw usage(`${flag} takes no value, but got "${value}"`);
  if (takesNextWord(spec) && value === undefined)
    throw usage(`${flag} needs a value: ${flag} ${placeholderOf(spec)}`);
  const before = given.get(spec.name);
  const repeatable =
    spec.value.kind === "switch" || (spec.value.kind === "text" && spec.value.repeatable === true);
  if (before !== undefined && !repeatable) throw usage(`${flag} was given twice`);
  if (value !== undefined) checkValue(spec, value);
  const values = before?.values ?? [];
  if (value !== undefined) values.push(value);
  given.set(spec.name, { spec, values });
}

function checkValue(spec: FlagSpec, value: string): void {
  const bad = (wanted: string) => usage(`--${spec.name}: "${value}" is not ${wanted}`);
  switch (spec.value.kind) {
    case "switch":
    case "choice":
      return;
    case "text":
      // `--allow-write=$UNSET` must not become `--allow-write`.
      if (spec.value.optional === true && /^[\s,]*$/.test(value))
        throw usage(`--${spec.name}= has an empty value`, `Without a value: --${spec.name}`);
      return;
    case "integer":
      if (!/^\d{1,15}$/.test(value) || Number(value) < spec.value.min) {
        throw bad(`a whole number of at least ${spec.value.min}`);
      }
      return;
    case "duration":
      if (parseDuration(value) === undefined) throw bad("a duration such as 500ms, 30s, 5m or 1h30m");
  }
}

/** Throws `AppError` (`usage`) with the nearest choice for a value that is none of them. */
async function checkChoice({ name, value: kind }: FlagSpec, value: string): Promise<void> {
  if (kind.kind !== "choice" || kind.choices.includes(value)) return;
  const nearest = await nearestWord(value, kind.choices);
  throw usage(
    `--${name}: "${value}" is not one of ${kind.choices.join(", ")}`,
    nearest === undefined ? undefined : `Did you mean ${nearest}?`,
  );
}

/** What stands for the value in help and messages. */
export function placeholderOf(spec: FlagSpec): string {
  switch (spec.value.kind) {
    case "switch":
      return "";
    case "choice":
      return `<${spec.value.choices.join("|")}>`;
    default:
      return spec.value.placeholder;
  }
}

function flagsOver(given: ReadonlyMap<string, Given>, declared: ReadonlyMap<string, FlagSpec>): ParsedFlags {
  const values = (name: string): readonly string[] | undefined => {
    if (!declared.has(name)) throw new Error(`flag --${name} is not declared by this command`);
    return given.get(name)?.values;
  };
  const text = (name: string) => values(name)?.[0];
  return {
    has: (name) => values(name) !== undefined,
    text,
    list: (name) => values(name) ?? [],
    integer: (name) => {
      const value = text(name);
      return value === undefined ? undefined : Number(value);
    },
    duration: (name) => {
      const value = text(name);
      return value === undefined ? undefined : parseDuration(value);
    },
  };
}

function usage(message: string, hint?: string): AppError {
  return new AppError("usage", message, hint === undefined ? {} : { hint });
}

async function unknownFlag(rawName: string, specs: readonly FlagSpec[], help: string): Promise<AppError> {
  const nearest = await nearestWord(
    rawName.replace(/^-+/, ""),
    specs.map((spec) => spec.name),
  );
  return usage(`unknown flag ${rawName}`, nearest === undefined ? help : `Did you mean --${nearest}?`);
}

/** `nearest`, loaded only when somebody mistyped. */
export async function nearestWord(word: string, words: readonly string[]): Promise<string | undefined> {
  const { nearest } = await import("../base/nearest.ts");
  return nearest(word, words);
}
