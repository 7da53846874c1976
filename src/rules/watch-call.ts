// Watching the arguments of one tool call while they arrive. Each string that the rules may see is a stream of its own;
// a rule fires at most once in a call, and one that depends on the call's path waits until the path is known.

import type { StreamMatcher } from "../matcher/matcher.ts";
import { normalizePath } from "./globs.ts";
import { createJsonStrings, type JsonPath, type StringPiece, stringValuesOf } from "./json-strings.ts";
import type { CallTest, TtsrRule } from "./register.ts";
import {
  buildMatcher,
  type StreamName,
  type WatchedArguments,
  type WatchFire,
  type WatchGaveUp,
  type WatchOptions,
} from "./stream.ts";

export interface CallWatch {
  /** A piece of the arguments' JSON text. */
  push(delta: string): readonly WatchFire[];
  /** The call is whole. What of `args` had not been seen in the pieces is read now. */
  end(args: unknown): readonly WatchFire[];
  /** The call is void. */
  release(): void;
  takeGaveUp(): readonly WatchGaveUp[];
}

/** A call that begins. */
export interface CallStart {
  readonly contentIndex: number;
  readonly toolCallId: string;
  readonly tool: string;
}

/** Arguments that name a file in tools that do not say which. */
const PATH_ARGUMENTS = ["path", "file_path", "filePath", "filename", "file"];

/** Gives a function that starts to watch a call; it gives undefined if no rule watches that tool. */
export function createCallWatch(
  rules: readonly TtsrRule[],
  options: WatchOptions,
): (start: CallStart) => CallWatch | undefined {
  const toolRules = rules.filter((rule) => rule.watchesCalls);
  const pool: StreamMatcher[] = [];
  const testsOf = new Map<string, ReadonlyMap<string, ApplicableRule>>();
  return (start) => {
    const tests = testsOf.get(start.tool) ?? applicableRules(toolRules, start.tool);
    testsOf.set(start.tool, tests);
    if (tests.size === 0) return undefined;
    const matcher = pool.pop() ?? buildMatcher(toolRules, options.matcher);
    return watchCall({ start, tests, matcher, options, release: () => pool.push(matcher) });
  };
}

interface ApplicableRule {
  readonly rule: TtsrRule;
  readonly test: CallTest;
}

function applicableRules(rules: readonly TtsrRule[], tool: string): ReadonlyMap<string, ApplicableRule> {
  return new Map(
    rules.flatMap((rule) => {
      const test = rule.callTest(tool);
      return test === undefined ? [] : [[rule.name, { rule, test }] as const];
    }),
  );
}

interface CallSetup {
  readonly start: CallStart;
  readonly tests: ReadonlyMap<string, ApplicableRule>;
  readonly matcher: StreamMatcher;
  readonly options: WatchOptions;
  readonly release: () => void;
}

interface HeldFire {
  readonly applicable: ApplicableRule;
  readonly fire: WatchFire;
}

function watchCall({ start, tests, matcher, options, release }: CallSetup): CallWatch {
  const { contentIndex, toolCallId, tool } = start;
  const stream: StreamName = `tool:${tool}`;
  const watched = options.watched?.get(tool);
  const strings = createJsonStrings();
  /** Whole strings that were read from the pieces, by path. */
  const seen = new Map<string, string>();
  const fired = new Set<string>();
  const gaveUp: WatchGaveUp[] = [];
  let held: HeldFire[] = [];
  let path: string | undefined;
  let current = "";

  const passes = ({ test }: ApplicableRule): boolean | undefined => {
    if (test.kind === "always") return true;
    return path === undefined ? undefined : test.test(normalizePath(path, options.cwd));
  };
  const collect = (argument: JsonPath, fires: ReturnType<StreamMatcher["push"]>): readonly WatchFire[] =>
    fires.flatMap(({ id, at, atEnd }) => {
      const applicable = tests.get(id);
      if (applicable === undefined || fired.has(id)) return [];
      const named = path === undefined ? {} : { path };
      const { rule } = applicable;
      const fire: WatchFire = { rule, stream, contentIndex, toolCallId, argument, ...named, at, atEnd };
      const passed = passes(applicable);
      if (passed === undefined) held.push({ applicable, fire });
      fired.add(id);
      return passed === true ? [fire] : [];
    });
  const learnPath = (text: string): readonly WatchFire[] => {
    if (path !== undefined) return [];
    path = text;
    const waiting = held;
    held = [];
    return waiting.flatMap(({ applicable, fire }) =>
      passes(applicable) === true ? [{ ...fire, path: text }] : [],
    );
  };
  const noteGaveUp = (): void => {
    for (const { id, at } of matcher.gaveUp) {
      const rule = tests.get(id)?.rule;
      if (rule !== undefined) gaveUp.push({ rule, stream, at });
    }
  };
  const readPiece = ({ path: argument, text, begins, ends }: StringPiece): readonly WatchFire[] => {
    const fires: WatchFire[] = [];
    current = begins ? text : current + text;
    if (isSeen(argument, watched)) {
      if (begins) matcher.restart();
      fires.push(...collect(argument, matcher.push(text)));
      if (ends) fires.push(...collect(argument, matcher.end()));
      if (ends) noteGaveUp();
    }
    if (ends) seen.set(JSON.stringify(argument), current);
    if (ends && isPath(argument, watched)) fires.push(...learnPath(current));
    return fires;
  };

  return {
    push: (delta) => strings.push(delta).flatMap(readPiece),
    end(args) {
      const fires: WatchFire[] = [];
      for (const [argument, text] of stringValuesOf(args)) {
        if (seen.get(JSON.stringify(argument)) === text) continue;
        fires.push(...readPiece({ path: argument, text, begins: true, ends: true }));
      }
      release();
      return fires;
    },
    release,
    takeGaveUp: () => gaveUp.splice(0),
  };
}

/** The name of an argument: its keys joined with dots, indices left out. */
function nameOf(argument: JsonPath): string {
  return argument.filter((key) => typeof key === "string").join(".");
}

function isSeen(argument: JsonPath, watched: WatchedArguments | undefined): boolean {
  return watched === undefined || watched.text.includes(nameOf(argument));
}

function isPath(argument: JsonPath, watched: WatchedArguments | undefined): boolean {
  const [key] = argument;
  if (argument.length !== 1 || typeof key !== "string") return false;
  return watched === undefined ? PATH_ARGUMENTS.includes(key) : key === watched.path;
}
