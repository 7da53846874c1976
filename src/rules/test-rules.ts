// Which rules fire on a text or on messages, and exactly where. The watch is the one that a run has.

import { type AssistantMessage, NO_USAGE, type ToolCallBlock } from "../model/messages.ts";
import { withCutCallsRead } from "./cut-call.ts";
import { type FoundMatch, locateFire } from "./locate-fire.ts";
import { messageEvents } from "./message-events.ts";
import type { TtsrRule } from "./register.ts";
import type { RuleScope } from "./rule.ts";
import type { StreamName, WatchedArguments, WatchFire, WatchGaveUp } from "./stream.ts";
import { createWatch } from "./watch.ts";

/** A rule that fired, and its match. */
export interface RuleMatch extends FoundMatch {
  readonly rule: TtsrRule;
  readonly stream: StreamName;
  readonly toolCallId?: string;
  /** The argument that it is in, its keys joined with dots. */
  readonly argument?: string;
  /** The file that the call names, as it was written. */
  readonly path?: string;
  /** UTF-16 units that had to be read to be sure. */
  readonly firesAt: number;
}

export interface RuleTester {
  /** The matches in one message, in order. */
  test(message: AssistantMessage): readonly RuleMatch[];
  takeGaveUp(): readonly WatchGaveUp[];
}

export interface TesterOptions {
  /** Paths of tool calls are taken relative to it. */
  readonly cwd: string;
  /** Which arguments of a call are watched as written text; undefined: all its strings. */
  readonly watchedOf: (call: ToolCallBlock) => WatchedArguments | undefined;
}

/** Tests messages one after another; what is learnt about the rules is kept between them. */
export function createRuleTester(rules: readonly TtsrRule[], options: TesterOptions): RuleTester {
  const watched = new Map<string, WatchedArguments>();
  const watch = createWatch(rules, { cwd: options.cwd, watched });
  return {
    test(message) {
      const matches: RuleMatch[] = [];
      const read = withCutCallsRead(message);
      for (const event of messageEvents(message)) {
        const call = event.type === "toolcall_start" ? read.content[event.contentIndex] : undefined;
        if (call?.type === "toolCall") setWatched(watched, call, options);
        matches.push(...watch.push(event).map((fire) => matchOf(fire, read)));
      }
      return matches;
    },
    takeGaveUp: watch.takeGaveUp,
  };
}

function setWatched(
  watched: Map<string, WatchedArguments>,
  call: ToolCallBlock,
  { watchedOf }: TesterOptions,
): void {
  const args = watchedOf(call);
  if (args === undefined) watched.delete(call.name);
  else watched.set(call.name, args);
}

function matchOf(fire: WatchFire, message: AssistantMessage): RuleMatch {
  const { rule, stream, toolCallId, argument, path } = fire;
  return {
    rule,
    stream,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(argument === undefined ? {} : { argument: argument.join(".") }),
    ...(path === undefined ? {} : { path }),
    firesAt: fire.at,
    ...locateFire(fire, streamText(fire, message)),
  };
}

/** The whole text of the stream that a rule fired in. */
function streamText({ contentIndex, argument = [] }: WatchFire, message: AssistantMessage): string {
  const block = message.content[contentIndex];
  if (block?.type === "text") return block.text;
  if (block?.type === "thinking") return block.thinking;
  let value: unknown = block?.arguments;
  for (const key of argument) {
    value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }
  return typeof value === "string" ? value : "";
}

/** What a text is to be taken for: a block of a message that has only it. */
export function testedMessage(text: string, as: RuleScope): AssistantMessage {
  const base = {
    role: "assistant",
    api: "",
    provider: "",
    model: "",
    usage: NO_USAGE,
    timestamp: 0,
  } as const;
  return { ...base, content: [blockOf(text, as)], stopReason: "stop" };
}

/** The argument names that `testedMessage` gives a tool call. */
export const TESTED_CALL: WatchedArguments = { path: "path", text: ["text"] };

function blockOf(text: string, as: RuleScope): AssistantMessage["content"][number] {
  switch (as.kind) {
    case "text":
      return { type: "text", text };
    case "thinking":
      return { type: "thinking", thinking: text };
    case "tool": {
      const path = as.glob === undefined ? {} : { path: as.glob };
      return { type: "toolCall", id: "call", name: as.tool ?? "tool", arguments: { ...path, text } };
    }
  }
}
