// `agent rules filter`: stdin to stdout through the rules, as it comes.

import { AppError } from "../base/errors.ts";
import { losslessDecoder, losslessEncode } from "../base/lossless-utf8.ts";
import { shellWord } from "../base/shell-quote.ts";
import { parseSize } from "../base/size.ts";
import { escapedControls, plural } from "../base/text.ts";
import { createFilter, type Filter, type OnMatch } from "../rules/filter.ts";
import type { FilterReport, FilterStep } from "../rules/filter-step.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_OK } from "./exit.ts";
import { RULE_FLAGS } from "./rule-flags.ts";
import { type RuleUse, watchingRules } from "./rules-watching.ts";

const DEFAULT_HOLD = "1MiB";
const TEXT: RuleUse = { isUsed: ({ watchesText }) => watchesText, watches: "watches text" };

export const rulesFilterCommand: Command = {
  flags: [
    {
      name: "on-match",
      value: { kind: "choice", choices: ["stop", "redact", "warn"] },
      default: "stop",
      help: "end there, put [rule:NAME] in its place, or pass it and exit 7 at the end",
    },
    {
      name: "max-hold",
      value: { kind: "text", placeholder: "<size>" },
      default: DEFAULT_HOLD,
      help: "hold back no more than this while a match may still come",
    },
    ...RULE_FLAGS,
  ],
  examples: [
    {
      line: 'ollama run llama3.2 "write a haiku" | agent rules filter --rules .agent/rules',
      does: "stop a model at the first match of these rules",
    },
    { line: "agent rules filter --on-match redact < log.txt > clean.txt", does: "cut out what rules match" },
  ],
  checksArguments: true,
  exitCodes: [1, 7, 65, 66],
  notes: [
    "The rules that watch text are used. Text that no rule can claim is written at once; only what may be the",
    "beginning of a match is held. Rules of severity warning are reported on stderr and pass. If a rule that --rules",
    "names cannot be used, or none of them watches text, nothing passes: exit 65.",
  ].join("\n"),
  async run(context) {
    const { io, args, signal } = context;
    const file = args.find((word) => word !== "-") ?? args[1];
    if (file !== undefined) {
      throw new AppError("usage", `rules filter reads stdin only, but got "${file}"`, {
        hint: `agent rules filter < ${shellWord(file)}`,
      });
    }
    const maxHold = holdOf(context);
    const onMatch = onMatchOf(context);
    const rules = await watchingRules(context, TEXT);
    const filter = createFilter({ rules, onMatch, maxHold });
    const stepper = createStepper(context, { filter, maxHold });
    const decoder = losslessDecoder();
    for await (const chunk of io.stdin.bytes("the text to filter", signal)) {
      await stepper.take(filter.push(decoder.push(chunk)));
    }
    await stepper.take(filter.push(decoder.end()));
    await stepper.take(filter.end());
    throwIfGaveUp(filter);
    stepper.throwIfFired(onMatch);
    return EXIT_OK;
  },
};

interface Stepper {
  /** Writes and reports. Throws `AppError` (`rule`, or `failed` if a rule gave up) where the filter ends. */
  take(step: FilterStep): Promise<void>;
  throwIfFired(onMatch: OnMatch): void;
}

interface StepperOptions {
  readonly filter: Filter;
  readonly maxHold: number;
}

function createStepper({ io }: CommandContext, { filter, maxHold }: StepperOptions): Stepper {
  const errors = new Set<string>();
  return {
    async take({ write, reports, end }) {
      if (write !== "") await io.stdout.write(losslessEncode(write));
      for (const report of reports) {
        if (report.rule.rule.severity === "error") errors.add(report.rule.name);
        if (report.action === "passed")
          io.warning(`${named(report)} matched before ${placeOf(report)} and passed`);
        if (report.action === "redacted") io.detail(`${named(report)} at ${placeOf(report)} was cut out`);
      }
      if (end === "overflow") throw overflow(maxHold);
      if (end === "gaveUp") throwIfGaveUp(filter);
      if (end === "stopped") throw stopped(reports.filter(({ action }) => action === "stopped"));
    },
    throwIfFired(onMatch) {
      if (onMatch !== "warn" || errors.size === 0) return;
      throw new AppError(
        "rule",
        `${plural(errors.size, "rule")} of severity error fired: ${[...errors].join(", ")}`,
      );
    },
  };
}

function named({ rule }: FilterReport): string {
  return escapedControls(`rule "${rule.rule.name}" (${rule.rule.displayPath})`);
}

/** Of text that is held, where the match begins; of text that passes, where it was certain: just behind it. */
function placeOf({ position }: FilterReport): string {
  return `line ${position.line}, column ${position.column}`;
}

function stopped(reports: readonly FilterReport[]): AppError {
  const reminders = reports.map(({ rule }) => rule.rule.body).filter((body) => body !== "");
  const message = `Stopped by ${reports.map((report) => `${named(report)} at ${placeOf(report)}`).join(" and ")}`;
  return new AppError("rule", message, reminders.length === 0 ? {} : { hint: reminders.join("\n\n") });
}

function overflow(maxHold: number): AppError {
  return new AppError(
    "rule",
    `More than ${maxHold} bytes would have to be held back for a match that may still come`,
    {
      hint: "Nothing of them was written. Raise --max-hold, or make the rule's pattern match less at a time.",
    },
  );
}

/** A rule that stopped looking proves nothing about the rest of the text: that is never taken for a pass. */
function throwIfGaveUp(filter: Filter): void {
  const [first] = filter.gaveUp();
  if (first === undefined) return;
  const { name, displayPath } = first.rule.rule;
  throw new AppError(
    "failed",
    `Rule "${escapedControls(name)}" (${escapedControls(displayPath)}) gave up at offset ${first.at}: its pattern costs too much`,
    {
      hint: "What came after was not checked against it. agent rules check says what makes a pattern slow.",
    },
  );
}

function onMatchOf({ flags }: CommandContext): OnMatch {
  const choice = flags.text("on-match");
  return choice === "redact" || choice === "warn" ? choice : "stop";
}

function holdOf({ flags }: CommandContext): number {
  const text = flags.text("max-hold") ?? DEFAULT_HOLD;
  const size = parseSize(text);
  if (size !== undefined) return size;
  throw new AppError("usage", `--max-hold: "${text}" is not a size such as 65536, 64k or 1MiB`);
}
