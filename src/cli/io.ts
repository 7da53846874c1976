// The process's three streams. stdout carries the result and nothing else; everything for people goes to stderr, each
// line starting `agent: `. Writes are plain `write` calls on the descriptors, awaited one after another: what was
// written has arrived in the pipe, however large and however slow the reader, and the first touch of `process.stdout`
// (9 ms in a compiled program) is never paid.

import * as fs from "node:fs";
import { codeOf } from "../base/errors.ts";
import { visibleControls } from "../base/text.ts";
import { descriptorWriter } from "./descriptor-writer.ts";
import { CLEAR_LINE, progressLines, updatingLine } from "./progress-lines.ts";
import { readDescriptor } from "./stdin.ts";
import { isTerminal } from "./terminal.ts";

export interface Output {
  readonly isTerminal: boolean;
  readonly color: boolean;
  /**
   * Resolves when all of it was handed to the system. Rejects with `AppError` (`pipe`) when the reader went away, and with
   * the signal's reason when the process was told to end and nobody reads.
   */
  write(chunk: string | Uint8Array): Promise<void>;
  /** For a limit of time: from the signal's abort on nobody waits for a reader that does not read, and writes reject with its reason. */
  giveUpAt(signal: AbortSignal): void;
  /** Text of a model or a session as this stream may show it: on a terminal its control characters are made visible. */
  safe(text: string): string;
}

export type InputKind = "terminal" | "pipe" | "file" | "other";

export interface Input {
  readonly kind: InputKind;
  /**
   * The bytes until the end. If none has come after 2 s, stderr says that `what` is awaited and how to avoid it (`flag`: one
   * that this command has for that). Ends early by throwing the signal's reason.
   */
  bytes(what: string, signal: AbortSignal, flag?: string): AsyncGenerator<Uint8Array, void>;
}

export interface Io {
  readonly stdout: Output;
  readonly stderr: { readonly isTerminal: boolean; readonly color: boolean };
  readonly stdin: Input;
  /** For people; not with `--quiet`. */
  notice(text: string): void;
  /** Something to look at; not with `--quiet`. */
  warning(text: string): void;
  /** The reason of an exit that is not 0; always printed. */
  error(text: string): void;
  /** With `--verbose` only. */
  detail(text: string): void;
  /** One updating line on a terminal, else a plain line at most every 10 s, none before the first 10 s. `undefined` clears the line. */
  progress(text: string | undefined): void;
}

export type ColorChoice = "auto" | "always" | "never";

export interface IoOptions {
  readonly color: ColorChoice;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** The signals of the process: they end the wait for a reader of stdout that does not read. */
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const PROGRESS_EVERY_MS = 10_000;

/** The streams of this process. */
export function processIo(options: IoOptions): Io {
  const stderrTerminal = isTerminal(2);
  const log = stderrLog({ terminal: stderrTerminal, quiet: options.quiet });
  return {
    stdout: descriptorOutput(1, options),
    stderr: { isTerminal: stderrTerminal, color: colorFor(options, stderrTerminal) },
    stdin: {
      kind: inputKind(),
      bytes: (what, signal, flag) =>
        readDescriptor({ fd: 0, signal, waiting: () => log.line(waitingFor(what, flag), true) }),
    },
    notice: (text) => log.line(text, !options.quiet),
    warning: (text) => log.line(`warning: ${text}`, !options.quiet),
    error: (text) => log.line(text, true),
    detail: (text) => log.line(text, options.verbose),
    progress: (text) => log.progress(text),
  };
}

function waitingFor(what: string, flag: string | undefined): string {
  const ways = flag === undefined ? "< /dev/null" : `${flag}, or < /dev/null`;
  return `waiting for ${what} on stdin (to read nothing: ${ways})`;
}

/** `--color`, then `NO_COLOR` / `FORCE_COLOR`, then whether the stream is a terminal. */
export function colorFor(options: Pick<IoOptions, "color" | "env">, terminal: boolean): boolean {
  if (options.color !== "auto") return options.color === "always";
  if (options.env["NO_COLOR"]) return false;
  const force = options.env["FORCE_COLOR"];
  if (force) return force !== "0" && force !== "false";
  return terminal && options.env["TERM"] !== "dumb";
}

function inputKind(): InputKind {
  if (isTerminal(0)) return "terminal";
  try {
    const stat = fs.fstatSync(0);
    if (stat.isFIFO()) return "pipe";
    return stat.isFile() ? "file" : "other";
  } catch {
    return "other";
  }
}

function descriptorOutput(fd: number, options: IoOptions): Output {
  const terminal = isTerminal(fd);
  const writer = descriptorWriter(fd);
  writer.giveUpAt(options.signal);
  return {
    isTerminal: terminal,
    color: colorFor(options, terminal),
    safe: (text) => (terminal ? visibleControls(text) : text),
    write: (chunk) => writer.write(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk),
    giveUpAt: writer.giveUpAt,
  };
}

interface StderrLog {
  line(text: string, wanted: boolean): void;
  progress(text: string | undefined): void;
}

function stderrLog(options: { readonly terminal: boolean; readonly quiet: boolean }): StderrLog {
  let shown = false;
  const lines = progressLines();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    const text = lines.tick();
    if (text !== undefined) writeStderr(`agent: ${text}\n`);
  };
  const clear = () => {
    if (shown) writeStderr(CLEAR_LINE);
    shown = false;
  };
  const safe = (text: string) => (options.terminal ? visibleControls(text) : text);
  return {
    line(text, wanted) {
      if (!wanted) return;
      clear();
      writeStderr(
        text
          .split("\n")
          .map((line) => `agent: ${safe(line)}\n`)
          .join(""),
      );
    },
    progress(text) {
      if (options.quiet) return;
      if (text === undefined) {
        clear();
        lines.show(undefined);
        clearInterval(timer);
        timer = undefined;
        return;
      }
      if (options.terminal) {
        writeStderr(updatingLine(`agent: ${safe(text)}`));
        shown = true;
        return;
      }
      lines.show(text);
      timer ??= setInterval(tick, PROGRESS_EVERY_MS);
    },
  };
}

/** Synchronous, so that order with other processes' output is kept. A reader that is gone is nobody to tell. */
function writeStderr(text: string): void {
  const bytes = new TextEncoder().encode(text);
  let offset = 0;
  for (let tries = 0; offset < bytes.length && tries < 200; ) {
    try {
      offset += fs.writeSync(2, bytes, offset);
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") return;
      tries += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
