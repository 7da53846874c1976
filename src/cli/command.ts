// What a command is: its words, its flags with their documentation, and one function from a context to an exit code.

import type { AppError } from "../base/errors.ts";
import type { LoadedSettings } from "../settings/load.ts";
import type { Io } from "./io.ts";

/** How a flag's value is read. Values keep their text; `integer` and `duration` are checked when parsed. */
export type FlagValue =
  | { readonly kind: "switch" }
  /** `optional`: given after `=` only, so that it never swallows the next word. */
  | {
      readonly kind: "text";
      readonly placeholder: string;
      readonly optional?: true;
      readonly repeatable?: true;
    }
  | { readonly kind: "integer"; readonly placeholder: string; readonly min: number }
  /** `500ms`, `30s`, `5m`, `1h30m`; a bare number is seconds. */
  | { readonly kind: "duration"; readonly placeholder: string }
  | { readonly kind: "choice"; readonly choices: readonly string[] };

/** Where the words of a command line are looked up: the working directory, absolute, and the environment. */
export interface WordPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Whether a word that follows a flag was probably meant as its value. */
export type LooksLikeValue = (word: string, place: WordPlace) => boolean;

/** One flag: `name` without dashes; `default` and `help` are what `--help` prints. */
export interface FlagSpec {
  readonly name: string;
  readonly short?: string;
  readonly value: FlagValue;
  readonly default?: string;
  readonly help: string;
  /** For a flag that takes nothing from the next word, where a mistaken space would change what the command does. */
  readonly looksLikeValue?: LooksLikeValue;
}

/** The flags of one call. Names are given without dashes; a name that the command does not declare is a bug. */
export interface ParsedFlags {
  /** Whether the flag was given. */
  has(name: string): boolean;
  /** Its text; `undefined` if it was not given, or given without its optional value. */
  text(name: string): string | undefined;
  /** All texts of a repeatable flag, in order. */
  list(name: string): readonly string[];
  integer(name: string): number | undefined;
  /** Milliseconds. */
  duration(name: string): number | undefined;
}

export interface Example {
  readonly line: string;
  readonly does: string;
}

/** What a command gets. Nothing below `cli` looks at the process itself. */
export interface CommandContext {
  /** Positional arguments, the command's own words taken off. */
  readonly args: readonly string[];
  readonly flags: ParsedFlags;
  readonly io: Io;
  /** Absolute; `--cwd` is applied. */
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly hostname: string;
  /**
   * Aborted by SIGHUP, SIGINT or SIGTERM; its reason is the `AppError` (`sighup`, `sigint`, `sigterm`) that the command
   * ends with: record what there is, then throw `signal.reason`.
   */
  readonly signal: AbortSignal;
  /** The settings of this call, read when they are first asked for; what is odd in them is a warning then. */
  loadSettings(): Promise<LoadedSettings>;
  /** Every command of the program, loaded: for those that speak of all commands. */
  loadCommands(): Promise<readonly LoadedCommand[]>;
}

/** A command's words and its line in the overview: known without loading its code (commands.ts). */
export interface CommandWords {
  /** As typed: `run`, `session list`. */
  readonly name: string;
  /** What follows the name in the usage line, flags apart: `<session>`. */
  readonly usage: string;
  readonly summary: string;
}

export interface Command {
  readonly flags: readonly FlagSpec[];
  /** At least two, each working as it stands. */
  readonly examples: readonly Example[];
  /** Codes beside the common ones. */
  readonly exitCodes: readonly number[];
  /** More text for `--help`, after the flags. */
  readonly notes?: string;
  /** Refuses words too many itself, with a better hint than the one for all commands. */
  readonly checksArguments?: true;
  /** Its output tells the exit code: a signal that comes later, while that is being written, does not change it. */
  readonly tellsItsCode?: true;
  /** Gives the exit code, or throws. */
  run(context: CommandContext): Promise<number>;
  /**
   * Writes the failure to stdout for a JSON output; without it, `{ok: false, exitCode, error}` is written. Called when
   * `run` threw and the command has not done so itself.
   */
  readonly ownsErrorOutput?: boolean;
  /** The record of a failure before `run` was called (an unknown flag), in place of the short one and for `--result`. */
  failureRecord?(error: AppError): object;
}

/** A command with its words. */
export interface LoadedCommand extends CommandWords {
  readonly command: Command;
}
