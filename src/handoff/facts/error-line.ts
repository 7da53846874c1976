// The line of an output that tells why something failed: what was wrong, with the name of the test before it where one
// stands there. Sums, stack frames and sentences that only say that it failed are passed over.

import { clip } from "./clip.ts";
import { isSummaryLine, stripAnsi } from "./test-summary.ts";

/** Says what was wrong; the more telling kinds first. */
const TELLING: readonly RegExp[] = [
  /^\s*(?:\[?\w*\]?\s*)?(?:E\s+|Caused by: |Uncaught )?(?:[\w$]+[.:])*[A-Z]\w*(?:Error|Exception|Panic)\b(?:\s*\[\w+\])?:? ?\S|\berror(?:\[\w+\]| TS\d+)|^\s*(?:fatal|panic):|^(?:thread '.*' )?panicked at|\bpanic(?:ked)?:|^\s*╷?│? ?Error: \S/,
  /^\s*error:? \S|\berror:? |^\s*\d+:\d+\s+error\b|^\S+:\d+(?::\d+)?: (?:fatal )?error\b|\b(?:command not found|No such file or directory|Permission denied|undefined reference|Segmentation fault|ENOENT|EACCES|ECONNREFUSED|EADDRINUSE|cannot find|could not (?:find|resolve|connect|compile)|unable to|not found|is not (?:defined|a function|installed|recognized)|timed? ?out)\b|^FAILED \S+::\S+ - |^E {3,}\S/i,
  /\b(?:expected|received|assert\w*|mismatch|got)\b.*|\b(?:denied|refused|rejected|invalid|unexpected|missing|conflict|unknown)\b|^(?:error|fatal)\b/i,
  /\b(?:errors?|fail(?:ed|s|ure|ing)?|exception|cannot|can't)\b/i,
];
/** Names the test or the step that failed. */
const MARKER = /^\s*(?:✗|✘|×|✖|●|\(fail\)|not ok \d+|--- FAIL:|FAIL\b|\d+\) )\s*\S/;
/** Says that it failed, not why; or belongs to something else. */
const EMPTY =
  /^\s*(?:Command (?:exited|failed) with|Exit code:? -?\d|Process exited|<exited with|\(no output\)|\(Bash completed|npm (?:error|ERR!) (?:code|path|workspace|location|command|A complete|errno|Lifecycle)|npm ERR! |npm error Lifecycle|Wall time|Output:|Total output lines|Chunk ID|error Command failed|error Recipe|make(?:\[\d+\])?: \*\*\*|error: (?:script|recipe) |(?:\S+ \S+: ?)? ?ELIFECYCLE|Errors? while running|\d+ \w+ generated|Waiting for the debugger|Debugger attached|Found \d+ errors?\b|✖ \d+ problems?|0 errors?\b|error: could not compile|error: aborting due|For more information|at\s|\s*\^+~*\s*$|[-=─━_*]{4,}\s*$|note: run with|\d+ failed$|warning[: [])/i;

const FRAME = /^\s+at .+[:(]\d+|^\s*File ".+", line \d+/;

/** A line without any of these words says nothing of an error. */
const ERRORISH =
  /err|fail|fatal|panic|exception|cannot|can't|could not|unable|not found|not defined|no such|denied|undefined|expected|received|assert|mismatch|refused|rejected|invalid|missing|conflict|unknown|timed? ?out|fault|enoent|eacces|econn|eaddr|is not|got|^e {3}/i;

/** At most `max` characters on one line; empty for an output that says nothing. */
export function errorLine(output: string, max: number): string {
  const text = stripAnsi(
    output.length > 40_000 ? `${output.slice(0, 20_000)}\n${output.slice(-20_000)}` : output,
  );
  const lines = text.split("\n").filter((line) => line.length < 2000);
  const candidates = lines.filter((line) => ERRORISH.test(line) && saysSomething(line));
  for (const telling of TELLING) {
    const line = candidates.find((candidate) => telling.test(candidate) && !NO_ERRORS.test(candidate));
    if (line !== undefined) return clip(withNeighbours(lines, line), max);
  }
  const marker = lines.find((line) => MARKER.test(line));
  return clip(bare(marker ?? lines.findLast(saysSomething) ?? ""), max);
}

const NO_ERRORS = /\b0 (?:errors?|fail(?:ed|ures?)?)\b/;

function saysSomething(line: string): boolean {
  return line.trim() !== "" && !EMPTY.test(line) && !FRAME.test(line) && !isSummaryLine(line);
}

/** The line with the name of what failed before it, and with the next line where the line itself only announces it. */
function withNeighbours(lines: readonly string[], line: string): string {
  const at = lines.indexOf(line);
  const text = bare(line);
  const announces = /[:：]\s*$/.test(text) || /panicked at \S+$/.test(text);
  const next = announces ? bare(lines.slice(at + 1).find((candidate) => candidate.trim() !== "") ?? "") : "";
  const marker = lines.slice(0, at).findLast((candidate) => MARKER.test(candidate));
  return [...(marker === undefined ? [] : [`${bare(marker).slice(0, 80)}:`]), text, next].join(" ").trim();
}

/** Without the frame that some programs draw around their messages. */
function bare(line: string): string {
  return line.replace(/^[\s│╷╵|>]+/, "").trim();
}

/** Whether an output of a run whose exit status is not its own (behind a pipe, before `; echo`) shows a failure. */
export function showsFailure(output: string): boolean {
  const tail = output.length > 20_000 ? output.slice(-20_000) : output;
  return /^\s*npm (?:ERR!|error) |\berror TS\d+:|^error(?:\[E\d+\])?: |^fatal: |^Traceback \(most recent|^--- FAIL|^FAILED\b|^(?:error: )?script ".*" exited with code|: command not found$| ELIFECYCLE |^make(?:\[\d+\])?: \*\*\* /m.test(
    tail,
  );
}
