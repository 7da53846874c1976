// The line of an output that tells why something failed.

import { clip } from "./clip.ts";
import { stripAnsi } from "./test-summary.ts";

/** Begins with what compilers, runtimes and shells begin their complaints with. */
const STRONG =
  /^\s*(?:\[?(?:error|fatal|panic|fail(?:ed|ure)?)\b|E\s{2,}|error\[|(?:[\w$.]+\.)?[A-Z]\w*(?:Error|Exception)\b|Traceback|✗|✘|×|--- FAIL|FAIL\b|AssertionError|npm (?:ERR!|error) (?!code|path|workspace|location|command|A complete))|\b(?:error TS\d+|error:|fatal:|panic:|undefined reference|command not found|No such file or directory|Permission denied|cannot find|not found|is not defined|Segmentation fault|Killed|Timed? ?out|ENOENT|EACCES|ECONNREFUSED)/i;
const WEAK =
  /\b(?:errors?|fail(?:ed|s|ure|ing)?|exception|cannot|can't|unable|invalid|unexpected|denied|missing|refused|rejected|conflict)\b/i;
/** Says that it failed, not why. */
const EMPTY =
  /^\s*(?:Command (?:exited|failed) with|Exit code:? \d|Process exited|\(no output\)|npm error (?:code|path|workspace|location|command)|Wall time|Output:|error Command failed|make: \*\*\*|error: script .* exited|\d+ \w+ generated|Waiting for the debugger|Debugger attached|Found \d+ errors?\.?$|0 errors?\b.*|\s*\^+\s*$|.*\b0 (?:errors?|fail(?:ed|ures?)?)\b.*)/i;

/** At most `max` characters on one line; empty for an output that says nothing. */
export function errorLine(output: string, max: number): string {
  const text = stripAnsi(
    output.length > 40_000 ? `${output.slice(0, 20_000)}\n${output.slice(-20_000)}` : output,
  );
  const lines = text
    .split("\n")
    .filter((line) => line.trim() !== "" && line.length < 2000 && !EMPTY.test(line));
  const strong = lines.find((line) => STRONG.test(line));
  const chosen = strong ?? lines.find((line) => WEAK.test(line)) ?? lines.at(-1);
  return chosen === undefined ? "" : clip(chosen, max);
}

/** Whether an output of a run whose exit status is not its own (behind a pipe) shows a failure. */
export function showsFailure(output: string): boolean {
  return /^\s*npm (?:ERR!|error) |\berror TS\d+:|^error(?:\[E\d+\])?: |^fatal: |^Traceback \(most recent|^--- FAIL|^FAILED\b|^(?:error: )?script ".*" exited with code|: command not found$/m.test(
    output.length > 20_000 ? output.slice(-20_000) : output,
  );
}
