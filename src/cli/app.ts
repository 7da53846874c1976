// From the words of a command line to an exit code: find the command, parse its flags, run it, and catch once.

import { isAbsolute, resolve } from "node:path";
import { AppError, toAppError } from "../base/errors.ts";
import { reasonOf } from "../base/system-error.ts";
import { jsonText } from "../base/well-formed.ts";
import type { LoadedSettings } from "../settings/load.ts";
import type { Command, CommandContext } from "./command.ts";
import { COMMANDS, type CommandRow } from "./commands.ts";
import { errorRecord } from "./error-record.ts";
import { EXIT_OK, exitCodeOf } from "./exit.ts";
import { findCommand } from "./find-command.ts";
import { parseFlags } from "./flags.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";
import type { ColorChoice, Io, IoOptions } from "./io.ts";
import { refuseExtraArguments } from "./positional.ts";
import { asksFor, asksForJson, asksForShort, flagValue } from "./words.ts";

/** What `main.ts` takes from the process. */
export interface AppEnvironment {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly hostname: string;
  readonly pid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly openIo: (options: IoOptions) => Io;
}

/** Runs one command line. Never throws; the exit code is the outcome. */
export async function runApp(environment: AppEnvironment): Promise<number> {
  const io = environment.openIo(ioOptions(environment));
  try {
    return await dispatch(environment, io);
  } catch (thrown) {
    return await reportFailure(toAppError(thrown), { environment, io, json: asksForJson(environment.argv) });
  } finally {
    io.progress(undefined);
  }
}

async function dispatch(environment: AppEnvironment, io: Io): Promise<number> {
  const { argv } = environment;
  const found = await findCommand(argv);
  if (found === undefined) return await withoutCommand(environment, io);
  const command = await found.row.load();
  if (asksFor(found.rest, ["--help", "-h"])) {
    const { renderHelp } = await import("./help.ts");
    return await print(io, renderHelp(found.row, command));
  }
  if (asksFor(found.rest, ["--version"])) return await printVersion(environment, io);
  let context: CommandContext;
  try {
    context = await commandContext(command, { row: found.row, words: found.rest, environment, io });
  } catch (thrown) {
    const error = toAppError(thrown);
    const record = command.failureRecord?.(error);
    if (record !== undefined) await tellRefusal(environment, io, record);
    return await reportFailure(error, { environment, io, json: asksForJson(argv), record });
  }
  return await runCommand(command, context, environment);
}

/** `--result` of a command line that could not be parsed: what it says is looked up in the words. */
async function tellRefusal(environment: AppEnvironment, io: Io, record: object): Promise<void> {
  const { argv } = environment;
  const file = flagValue(argv, "--result");
  if (file === undefined || file.startsWith("-")) return;
  const { writeRefusal } = await import("./result-file.ts");
  const unwritten = await writeRefusal(record, { file, cwd: namedDirectory(environment, argv) });
  if (unwritten !== undefined) io.warning(unwritten.message);
}

/** The working directory as the words say it, before they are parsed. */
function namedDirectory({ cwd }: AppEnvironment, words: readonly string[]): string {
  return resolve(cwd, flagValue(words, "--cwd") ?? "");
}

interface ContextParts {
  readonly row: CommandRow;
  readonly words: readonly string[];
  readonly environment: AppEnvironment;
  readonly io: Io;
}

async function commandContext(
  command: Command,
  { row, words, environment, io }: ContextParts,
): Promise<CommandContext> {
  const help = row.usage.startsWith("[prompt")
    ? "A prompt that begins with - goes after --."
    : `agent ${row.name} --help lists its flags.`;
  const { flags, args } = await parseFlags(words, [...command.flags, ...GLOBAL_FLAGS], {
    help,
    place: { cwd: namedDirectory(environment, words), env: environment.env },
  });
  if (command.checksArguments !== true) refuseExtraArguments(row.name, row.usage, args);
  const cwd = await workingDirectory(environment.cwd, flags.text("cwd"));
  await checkConfigFile(cwd, flags.text("config"));
  const place = { cwd, home: environment.home, env: withAbsoluteHome(environment), flags, io };
  let settings: Promise<LoadedSettings> | undefined;
  const loadSettings = async () => (await import("./settings-of.ts")).loadCallSettings(place);
  return {
    ...place,
    args,
    pid: environment.pid,
    hostname: environment.hostname,
    signal: environment.signal,
    loadSettings: () => (settings ??= loadSettings()),
    loadCommands: () => Promise.all(COMMANDS.map(async (row) => ({ ...row, command: await row.load() }))),
  };
}

/** A relative `AGENT_HOME` is relative to where the program was started, not to `--cwd`. */
function withAbsoluteHome({ env, cwd }: AppEnvironment): AppEnvironment["env"] {
  const own = env["AGENT_HOME"];
  return own && !isAbsolute(own) ? { ...env, AGENT_HOME: resolve(cwd, own) } : env;
}

async function runCommand(
  command: Command,
  context: CommandContext,
  environment: AppEnvironment,
): Promise<number> {
  try {
    const code = await command.run(context);
    const isFinal = command.tellsItsCode === true;
    if (environment.signal.aborted && code === EXIT_OK && !isFinal) throw environment.signal.reason;
    return code;
  } catch (thrown) {
    const json = asksForJson(environment.argv) && command.ownsErrorOutput !== true;
    return await reportFailure(toAppError(thrown), { environment, io: context.io, json });
  }
}

interface FailureContext {
  readonly environment: AppEnvironment;
  readonly io: Io;
  readonly json: boolean;
  readonly record?: object | undefined;
}

/** Says why on stderr, and in a JSON output on stdout too. A reader that went away is told nothing. */
async function reportFailure(error: AppError, context: FailureContext): Promise<number> {
  const { environment, io } = context;
  const exitCode = exitCodeOf(error.kind);
  if (error.kind === "pipe") return exitCode;
  io.error(
    error.kind === "bug"
      ? `bug: ${error.message} (this is a fault of agent; AGENT_DEBUG=1 shows the stack)`
      : error.message,
  );
  if (error.hint !== undefined) io.error(error.hint);
  if (environment.env["AGENT_DEBUG"]) io.error(renderStack(error));
  if (!context.json) return exitCode;
  try {
    const short = { type: "result", ok: false, exitCode, error: errorRecord(error) };
    const body = context.record ?? short;
    await io.stdout.write(`${jsonText(body)}\n`);
    return exitCode;
  } catch (thrown) {
    const unprinted = toAppError(thrown);
    if (unprinted !== error && unprinted.kind !== "pipe") io.error(unprinted.message);
    return exitCodeOf(unprinted.kind);
  }
}

function renderStack(error: AppError): string {
  const cause = error.cause;
  const stack = error.stack ?? error.message;
  return cause instanceof Error ? `${stack}\ncaused by ${cause.stack ?? cause.message}` : stack;
}

async function withoutCommand(environment: AppEnvironment, io: Io): Promise<number> {
  const { argv } = environment;
  const words = argv.filter((word) => !word.startsWith("-"));
  const { renderHelp, renderOverview } = await import("./help.ts");
  const [topic, ...more] = words[0] === "help" ? words.slice(1) : words;
  if (words[0] === "help" && topic !== undefined) {
    const found = await findCommand([topic, ...more, "--help"]);
    if (found !== undefined) return await print(io, renderHelp(found.row, await found.row.load()));
  }
  const group = COMMANDS.filter((row) => row.name.startsWith(`${topic} `));
  if (group.length > 0) return await print(io, renderOverview(group));
  if (words[0] === "help" || asksFor(argv, ["--help", "-h"]))
    return await print(io, renderOverview(COMMANDS));
  await parseFlags(argv, GLOBAL_FLAGS);
  if (asksFor(argv, ["--version"])) return await printVersion(environment, io);
  throw new AppError("usage", "no command given", { hint: "agent --help lists the commands." });
}

async function workingDirectory(cwd: string, flag: string | undefined): Promise<string> {
  if (flag === undefined) return cwd;
  // `--cwd=$UNSET` must not run in whatever directory we are in.
  if (flag === "") throw new AppError("usage", "--cwd= has an empty value");
  const { statSync } = await import("node:fs");
  const path = resolve(cwd, flag);
  try {
    if (statSync(path).isDirectory()) return path;
  } catch (error) {
    throw new AppError("usage", `--cwd: cannot use "${flag}": ${reasonOf(error)}`, { cause: error });
  }
  throw new AppError("usage", `--cwd: "${flag}" is not a directory`);
}

/** A file that was named and cannot be used is an error of every command, also of those that have no settings. */
async function checkConfigFile(cwd: string, configPath: string | undefined): Promise<void> {
  if (configPath === undefined) return;
  const { loadNamed } = await import("../settings/load.ts");
  await loadNamed({ cwd, configPath });
}

function ioOptions(environment: AppEnvironment): IoOptions {
  const { argv, env, signal } = environment;
  const value = flagValue(argv, "--color");
  const color: ColorChoice = value === "always" || value === "never" ? value : "auto";
  return {
    color,
    quiet: asksForShort(argv, "--quiet", "q"),
    verbose: asksForShort(argv, "--verbose", "v"),
    signal,
    env,
  };
}

async function print(io: Io, text: string): Promise<number> {
  await io.stdout.write(text);
  return EXIT_OK;
}

function printVersion(environment: AppEnvironment, io: Io): Promise<number> {
  return print(io, `agent ${environment.version}\n`);
}
