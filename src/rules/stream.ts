// What a stream of the model is to the rules, and what it is to fire in one.

import { StreamMatcher } from "../matcher/matcher.ts";
import type { MatcherOptions } from "../matcher/options.ts";
import type { JsonPath } from "./json-strings.ts";
import type { TtsrRule } from "./register.ts";

/** `text`, `thinking`, or `tool:` and the tool's name. */
export type StreamName = "text" | "thinking" | `tool:${string}`;

/** A rule that fired in the stream of a block. */
export interface WatchFire {
  readonly rule: TtsrRule;
  readonly stream: StreamName;
  readonly contentIndex: number;
  readonly toolCallId?: string;
  /** The argument of the call that it fired in. */
  readonly argument?: JsonPath;
  /** The path that the call names, as it was written, if it was known. */
  readonly path?: string;
  /** UTF-16 units of the block's text, or of the argument, that decided it. */
  readonly at: number;
  /** Only the end of the text decided it. */
  readonly atEnd: boolean;
}

/** A rule that stopped looking in a stream because its pattern cost too much. */
export interface WatchGaveUp {
  readonly rule: TtsrRule;
  readonly stream: StreamName;
  readonly at: number;
}

/** Which argument of a tool holds the text that it writes, and which its path (`Tool.watched`). */
export interface WatchedArguments {
  readonly path: string;
  /** Names of arguments; `edits.newText` is the `newText` of each item of `edits`. */
  readonly text: readonly string[];
}

/** Arguments that name a file in tools that do not say which. */
export const PATH_ARGUMENTS: readonly string[] = [
  "path",
  "file_path",
  "filePath",
  "filename",
  "file",
  "notebook_path",
  "target_file",
];

export interface WatchOptions {
  /** Paths of tool calls are taken relative to it. */
  readonly cwd: string;
  /** By tool name. Of a tool that is not in it, every string argument is watched. */
  readonly watched?: ReadonlyMap<string, WatchedArguments>;
  readonly matcher?: MatcherOptions;
}

/** The rules as the matcher takes them, under their names. */
export function buildMatcher(
  rules: readonly TtsrRule[],
  options: MatcherOptions | undefined = {},
): StreamMatcher {
  return new StreamMatcher(
    rules.map(({ name, conditions }) => ({ id: name, patterns: conditions })),
    options,
  );
}
