// `agent rules test`: which rules fire on a text or on the messages of a session, and exactly where.

import { resolve } from "node:path";
import { AppError } from "../base/errors.ts";
import { readNamedFile } from "../base/named-file.ts";
import { escapedControls, oneLine, visibleControls } from "../base/text.ts";
import { jsonText } from "../base/well-formed.ts";
import type { TtsrRule } from "../rules/register.ts";
import type { RuleScope } from "../rules/rule.ts";
import { isTool, toolAdvice } from "../rules/scope.ts";
import { createRuleTester, type RuleMatch, TESTED_CALL, testedMessage } from "../rules/test-rules.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_FINDINGS, EXIT_OK } from "./exit.ts";
import { FROM_FLAG } from "./from-flag.ts";
import { outputFlag } from "./global-flags.ts";
import { AS_FLAG, streamAs } from "./rule-as.ts";
import { RULE_FLAGS } from "./rule-flags.ts";
import { writtenArguments } from "./rule-written.ts";
import { type RuleUse, watchingRules } from "./rules-watching.ts";
import { openSessionArgument, warnOfProblems } from "./session-arg.ts";
import { toolNames } from "./tool-names.ts";

const ANY_STREAM: RuleUse = { isUsed: () => true, watches: "watches a stream" };

export const rulesTestCommand: Command = {
  flags: [
    outputFlag(["text", "json"]),
    FROM_FLAG,
    AS_FLAG,
    {
      name: "text",
      value: { kind: "text", placeholder: "<text>" },
      default: "none",
      help: "test this text instead of a file",
    },
    {
      name: "session",
      value: { kind: "text", placeholder: "<session>" },
      default: "none",
      help: "test every assistant message of this session",
    },
    ...RULE_FLAGS,
  ],
  examples: [
    {
      line: "agent rules test --as 'tool:write(src/a.ts)' src/a.ts",
      does: "as if the model wrote this file",
    },
    { line: "git diff | agent rules test", does: "a text from a pipe" },
    { line: "agent rules test --session latest --output json", does: "would these rules have fired?" },
  ],
  checksArguments: true,
  exitCodes: [3, 65, 66],
  async run(context) {
    const { io, flags } = context;
    const found = flags.has("session") ? await testSession(context) : await testText(context);
    if (flags.text("output") === "json") await io.stdout.write(renderJson(found));
    else {
      const text = found.map(renderLine).join("");
      await io.stdout.write(io.stdout.isTerminal ? visibleControls(text) : text);
    }
    if (found.length === 0) io.notice("no rule fires");
    return found.length === 0 ? EXIT_OK : EXIT_FINDINGS;
  },
};

/** A match and where its text came from: a file's name, or an entry of a session. */
interface Found {
  readonly match: RuleMatch;
  readonly from: string;
  readonly entryId?: string;
}

async function testText(context: CommandContext): Promise<readonly Found[]> {
  const as = streamAs(context);
  await warnOfUnknownTool(context, as);
  const { from, text } = await readInput(context);
  const rules = await watchingRules(context, ANY_STREAM);
  const path = as.kind === "tool" ? as.glob : undefined;
  const tester = createRuleTester(rules, { cwd: context.cwd, watchedOf: () => TESTED_CALL });
  const found = tester.test(testedMessage(text, as)).map((match) => ({ match, from: path ?? from }));
  warnOfGivingUp(context, tester.takeGaveUp());
  return found;
}

async function testSession(context: CommandContext): Promise<readonly Found[]> {
  const { flags, args } = context;
  if (args.length > 0 || flags.has("text") || flags.has("as")) {
    throw new AppError("usage", "--session is tested alone: without a file, --text or --as");
  }
  const session = await openSessionArgument(context, flags.text("session") ?? "");
  warnOfProblems(context, session.problems);
  const rules = await watchingRules(context, ANY_STREAM);
  const tester = createRuleTester(rules, { cwd: session.header.cwd, watchedOf: writtenArguments });
  const found: Found[] = [];
  for (const entry of session.entries()) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const from = `entry ${entry.id}`;
    found.push(...tester.test(entry.message).map((match) => ({ match, from, entryId: entry.id })));
    warnOfGivingUp(context, tester.takeGaveUp());
  }
  return found;
}

/** A rule for a tool never fires on a call of another one: a mistake in a name would look as if all were well. */
async function warnOfUnknownTool(context: CommandContext, as: RuleScope): Promise<void> {
  if (as.kind !== "tool" || as.tool === undefined) return;
  const tools = await toolNames(context);
  if (isTool(as.tool, tools)) return;
  context.io.warning(`--as: no tool is called "${as.tool}"; ${toolAdvice(as.tool, tools)}`);
}

function warnOfGivingUp(
  { io }: CommandContext,
  gaveUp: readonly { readonly rule: TtsrRule; readonly stream: string; readonly at: number }[],
): void {
  for (const { rule, stream, at } of gaveUp) {
    io.warning(
      `rule "${escapedControls(rule.name)}" gave up in ${stream} at offset ${at}: its pattern costs too much there`,
    );
  }
}

interface TextInput {
  readonly from: string;
  readonly text: string;
}

async function readInput({ args, flags, io, cwd, signal }: CommandContext): Promise<TextInput> {
  const [file, second] = args;
  const typed = flags.text("text");
  if (second !== undefined || (file !== undefined && typed !== undefined)) {
    throw new AppError("usage", "rules test takes one file, or -, or --text");
  }
  if (typed !== undefined) return { from: "text", text: typed };
  if (file !== undefined && file !== "-") {
    const request = { cannot: `Cannot read "${file}"`, kind: "failed", signal } as const;
    return { from: file, text: await readNamedFile(resolve(cwd, file), request) };
  }
  const isGiven = file === "-" || io.stdin.kind === "pipe" || io.stdin.kind === "file";
  if (!isGiven) throw new AppError("usage", "nothing to test: give a file, - for stdin, --text or --session");
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for await (const chunk of io.stdin.bytes("the text to test", signal)) {
    text += decoder.decode(chunk, { stream: true });
  }
  return { from: "stdin", text: text + decoder.decode() };
}

function renderLine({ match, from, entryId }: Found): string {
  const { rule, position, text } = match;
  const place = `${escapedControls(from)}:${position.line}:${position.column}`;
  const where = entryId === undefined ? match.stream : placeInMessage(match);
  return `${place}: ${escapedControls(rule.name)} (${rule.rule.severity}) in ${where}: ${JSON.stringify(oneLine(text, 80))}\n`;
}

/** `text`, or of a call its tool, file and argument: `tool:write(src/a.ts) content`. */
function placeInMessage({ stream, path, argument }: RuleMatch): string {
  const file = path === undefined ? "" : `(${oneLine(path, 80)})`;
  return `${stream}${file}${argument === undefined ? "" : ` ${oneLine(argument, 80)}`}`;
}

function renderJson(found: readonly Found[]): string {
  const matches = found.map(({ match, entryId }) => ({
    rule: match.rule.name,
    severity: match.rule.rule.severity,
    stream: match.stream,
    ...(entryId === undefined ? {} : { entryId }),
    ...(match.toolCallId === undefined || entryId === undefined ? {} : { toolCallId: match.toolCallId }),
    ...(match.argument === undefined || entryId === undefined ? {} : { argument: match.argument }),
    ...(match.path === undefined || entryId === undefined ? {} : { path: match.path }),
    at: match.at,
    end: match.end,
    firesAt: match.firesAt,
    line: match.position.line,
    column: match.position.column,
    text: match.text,
  }));
  return `${jsonText({ matches })}\n`;
}
