// Watching the arguments of one tool call while they arrive. Each string that the rules may see is a stream of its own;
// a rule fires at most once in a call, and one that depends on the call's path waits until the path is known.

import type { Fire, StreamMatcher } from "../matcher/matcher.ts";
import { normalizePath } from "./globs.ts";
import { createJsonStrings, type JsonPath, type StringPiece, stringValuesOf } from "./json-strings.ts";
import type { CallTest, TtsrRule } from "./register.ts";
import {
  buildMatcher,
  PATH_ARGUMENTS,
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
    const state: CallState = {
      start,
      tests,
      matcher,
      cwd: options.cwd,
      watched: options.watched?.get(start.tool),
      seen: new Map(),
      fired: new Set(),
      gaveUp: [],
      held: [],
      path: undefined,
      pathName: undefined,
      current: "",
    };
    return watchCall(state, () => pool.push(matcher));
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

/** What is known of a call that is being read. */
interface CallState {
  readonly start: CallStart;
  readonly tests: ReadonlyMap<string, ApplicableRule>;
  readonly matcher: StreamMatcher;
  readonly cwd: string;
  readonly watched: WatchedArguments | undefined;
  /** Whole strings that were read from the pieces, by path. */
  readonly seen: Map<string, string>;
  readonly fired: Set<string>;
  readonly gaveUp: WatchGaveUp[];
  /** Fires of rules that the path does not pass: it is not known yet, or a later one of that name may count instead. */
  held: readonly HeldFire[];
  path: string | undefined;
  /** The argument that it is. */
  pathName: string | undefined;
  /** What has come of the string that is being read. */
  current: string;
}

interface HeldFire {
  readonly applicable: ApplicableRule;
  readonly fire: WatchFire;
}

function watchCall(state: CallState, release: () => void): CallWatch {
  const strings = createJsonStrings();
  return {
    push: (delta) => strings.push(delta).flatMap((piece) => readPiece(state, piece)),
    end(args) {
      const fires: WatchFire[] = [];
      for (const [path, text] of stringValuesOf(args)) {
        if (state.seen.get(JSON.stringify(path)) === text) continue;
        fires.push(...readPiece(state, { path, text, begins: true, ends: true }));
      }
      release();
      return fires;
    },
    release,
    takeGaveUp: () => state.gaveUp.splice(0),
  };
}

function readPiece(state: CallState, { path, text, begins, ends }: StringPiece): readonly WatchFire[] {
  const { matcher, watched } = state;
  const fires: WatchFire[] = [];
  state.current = begins ? text : state.current + text;
  if (isSeen(path, watched)) {
    if (begins) matcher.restart();
    fires.push(...collect(state, path, matcher.push(text)));
    if (ends) {
      fires.push(...collect(state, path, matcher.end()));
      noteGaveUp(state);
    }
  }
  if (ends) state.seen.set(JSON.stringify(path), state.current);
  if (ends && isPath(path, state)) {
    state.pathName = nameOf(path);
    fires.push(...learnPath(state, state.current));
  }
  return fires;
}

/** Fires of rules that apply to this call; those that wait for its path are held. */
function collect(state: CallState, argument: JsonPath, fires: readonly Fire[]): readonly WatchFire[] {
  const { contentIndex, toolCallId } = state.start;
  return fires.flatMap(({ id, at, atEnd }) => {
    const applicable = state.tests.get(id);
    if (applicable === undefined || state.fired.has(id)) return [];
    state.fired.add(id);
    const { rule } = applicable;
    const named = state.path === undefined ? {} : { path: state.path };
    const stream = streamOf(state);
    const fire: WatchFire = { rule, stream, contentIndex, toolCallId, argument, ...named, at, atEnd };
    if (passes(state, applicable)) return [fire];
    state.held = [...state.held, { applicable, fire }];
    return [];
  });
}

/** Whether the rule applies to the call, as far as its path is known. */
function passes({ path, cwd }: CallState, { test }: ApplicableRule): boolean {
  return test.kind === "always" || (path !== undefined && test.test(normalizePath(path, cwd)));
}

/** Of a key that is given twice JSON takes the last value, so that a later path counts again. */
function learnPath(state: CallState, path: string): readonly WatchFire[] {
  state.path = path;
  const passing = state.held.filter(({ applicable }) => passes(state, applicable));
  state.held = state.held.filter((held) => !passing.includes(held));
  return passing.map(({ fire }) => ({ ...fire, path }));
}

function noteGaveUp(state: CallState): void {
  for (const { id, at } of state.matcher.gaveUp) {
    const rule = state.tests.get(id)?.rule;
    if (rule !== undefined) state.gaveUp.push({ rule, stream: streamOf(state), at });
  }
}

function streamOf({ start }: CallState): StreamName {
  return `tool:${start.tool}`;
}

/** The name of an argument: its keys joined with dots, indices left out. */
function nameOf(argument: JsonPath): string {
  return argument.filter((key) => typeof key === "string").join(".");
}

function isSeen(argument: JsonPath, watched: WatchedArguments | undefined): boolean {
  return watched === undefined || watched.text.includes(nameOf(argument));
}

/** Where the tool does not say which, the first that names a file is the path. */
function isPath([key, ...deeper]: JsonPath, { watched, pathName = watched?.path }: CallState): boolean {
  if (typeof key !== "string" || deeper.length > 0) return false;
  return pathName === undefined ? PATH_ARGUMENTS.includes(key) : key === pathName;
}
