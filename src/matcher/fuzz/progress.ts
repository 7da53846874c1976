// What must hold while a text is read: `idleFrom` never passes the beginning of a match that is still to come, and a
// rule that is armed again fires like one that looks at what is left alone, with what came before as context.

import { readableEnd } from "../input.ts";
import { certainStart, failure, type Subject, units, type Verdict } from "./properties.ts";

/** Checks both; `holds` is the verdict if they do. */
export function checkProgress(subject: Subject, text: string, holds: Verdict): Verdict {
  return checkIdle(subject, text) ?? (subject.slow ? undefined : checkRearm(subject, text)) ?? holds;
}

function checkIdle(subject: Subject, text: string): Verdict | undefined {
  const matcher = subject.watched;
  matcher.restart();
  let idle = 0;
  let read = 0;
  const startOfFire = (ended: boolean) => {
    const input = { text: text.slice(0, read), ended };
    return certainStart(subject, input, 0);
  };
  for (const unit of units(text)) {
    const { fires } = matcher.pushUntilFire(unit);
    read++;
    if (fires.length > 0) {
      const start = startOfFire(false);
      if (typeof start === "number" && start < idle)
        return failure("idleFrom keeps what may match", { idle, start });
      return undefined;
    }
    const now = matcher.idleFrom;
    if (now < idle || now > read) return failure("idleFrom rises, up to what was read", { idle, now, read });
    idle = now;
  }
  if (matcher.end().length === 0) return undefined;
  const start = startOfFire(true);
  if (typeof start === "number" && start < idle)
    return failure("idleFrom keeps what may match", { idle, start });
  return undefined;
}

function checkRearm(subject: Subject, text: string): Verdict | undefined {
  const matcher = subject.watched;
  matcher.restart();
  const got: number[] = [];
  matcher.push("");
  matcher.rearm("rule");
  for (let from = 0; from < text.length; ) {
    const { fires, read } = matcher.pushUntilFire(text, from);
    from += read;
    for (const { at } of fires) got.push(at);
    matcher.rearm("rule");
  }
  const expected = expectedFires(subject, text);
  if (expected === undefined || got.join() === expected.join()) return undefined;
  return failure("a rule armed again fires on what begins from there", { got, expected });
}

/**
 * The fires, by the backtracking engine, of a rule that is armed again at once. Undefined if it gave up, or if a match
 * without a character is certain where the rule is armed, of which it says nothing.
 */
function expectedFires(subject: Subject, text: string): number[] | undefined {
  const { program } = subject;
  const fires: number[] = [];
  let armedAt = 0;
  let readable = -1;
  for (let at = 0; at <= text.length; at++) {
    const input = { text: text.slice(0, at), ended: false };
    // A high surrogate whose partner has not come counts as not read.
    if (readableEnd(program.overPoints, input) === readable) continue;
    readable = readableEnd(program.overPoints, input);
    const start = certainStart(subject, input, armedAt);
    if (start === "none") continue;
    if (start === undefined || at === 0) return undefined;
    fires.push(at);
    armedAt = readable;
    if (certainStart(subject, input, armedAt) !== "none") return undefined;
  }
  return fires;
}
