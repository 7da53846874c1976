// `agent session show`: a session for reading. Secrets are taken out of what is shown, in every output.

import { isObject } from "../base/json.ts";
import { visibleControls } from "../base/text.ts";
import { jsonText } from "../base/well-formed.ts";
import { redactSecrets } from "../handoff/redact.ts";
import type { Entry } from "../session/entry.ts";
import type { Session } from "../session/session.ts";
import { oneSession } from "./args.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_OK } from "./exit.ts";
import { FROM_FLAG } from "./from-flag.ts";
import { outputFlag } from "./global-flags.ts";
import { paintFor } from "./paint.ts";
import { renderWholeEntry, renderWholeEntryMd } from "./render-entry.ts";
import { type RenderContext, renderItem, renderSessionHead } from "./render-session.ts";
import { renderItemMd, renderSessionHeadMd } from "./render-session-md.ts";
import { openSessionArgument, warnOfProblems } from "./session-arg.ts";
import { findEntry } from "./session-entry.ts";
import { type ShowSelection, showItems, shownEntries } from "./show-items.ts";

export const sessionShowCommand: Command = {
  flags: [
    {
      name: "branch",
      value: { kind: "text", placeholder: "<entry>", optional: true },
      default: "the one that ends at the last entry",
      help: "the branch that ends at this entry",
    },
    {
      name: "all",
      value: { kind: "switch" },
      default: "off",
      help: "hidden entries too, and those of other branches",
    },
    {
      name: "entry",
      value: { kind: "text", placeholder: "<id>" },
      default: "none",
      help: "one entry in full, by its id or its beginning",
    },
    { name: "no-redact", value: { kind: "switch" }, default: "off", help: "show secrets as they stand" },
    outputFlag(["text", "md", "json"]),
    FROM_FLAG,
  ],
  examples: [
    { line: "agent session show latest", does: "the conversation of this directory's newest session" },
    { line: "agent session show latest --entry 4f2a91c0", does: "one entry, nothing shortened" },
    {
      line: "agent session show s.jsonl --output json | jq -r '.entries[].message?.role'",
      does: "the roles of its messages",
    },
  ],
  exitCodes: [65, 66],
  async run(context) {
    const { flags, io } = context;
    const session = await openSessionArgument(context, oneSession(context));
    const wanted = flags.text("entry");
    const write = (text: string) => io.stdout.write(text);
    const output = flags.text("output");
    if (output === "json") await writeJson(context, session, write);
    else if (wanted !== undefined) {
      const entry = findEntry(session, wanted);
      const how = rendering(context);
      await write(output === "md" ? renderWholeEntryMd(entry, how.clean) : renderWholeEntry(entry, how));
    } else await writeReadable(context, session, write);
    warnOfProblems(context, session.problems);
    return EXIT_OK;
  },
};

type Write = (text: string) => Promise<void>;

function selectionOf({ flags }: CommandContext, session: Session): ShowSelection {
  const branch = flags.text("branch");
  return {
    all: flags.has("all"),
    branch:
      branch !== undefined
        ? findEntry(session, branch).id
        : flags.has("branch")
          ? (session.leafId ?? undefined)
          : undefined,
  };
}

function redactionOf({ flags }: CommandContext): (text: string) => string {
  return flags.has("no-redact") ? (text) => text : redactSecrets;
}

function rendering(context: CommandContext): RenderContext {
  const { stdout } = context.io;
  const redact = redactionOf(context);
  return {
    paint: paintFor(stdout.color),
    clean: (text) => (stdout.isTerminal ? visibleControls(redact(text)) : redact(text)),
  };
}

async function writeReadable(context: CommandContext, session: Session, write: Write): Promise<void> {
  const selection = selectionOf(context, session);
  const how = rendering(context);
  const markdown = context.flags.text("output") === "md";
  await write(markdown ? renderSessionHeadMd(session, how.clean) : renderSessionHead(session, how));
  for (const item of showItems(session, selection)) {
    context.signal.throwIfAborted();
    await write(markdown ? renderItemMd(item, how.clean) : renderItem(item, how));
  }
}

/** `{header, entries, problems}`, written as it comes. */
async function writeJson(context: CommandContext, session: Session, write: Write): Promise<void> {
  const redact = redactionOf(context);
  const json = (value: unknown) => jsonText(redacted(value, redact));
  const wanted = context.flags.text("entry");
  const entries: Iterable<Entry> =
    wanted === undefined
      ? shownEntries(session, selectionOf(context, session))
      : [findEntry(session, wanted)];
  await write(`{"header":${json(session.header)},"entries":[`);
  let before = "";
  for (const entry of entries) {
    context.signal.throwIfAborted();
    await write(`${before}${json(asInFile(entry))}`);
    before = ",";
  }
  await write(`],"problems":${jsonText(session.problems)}}\n`);
}

/** An unknown entry is the object that it was. */
function asInFile(entry: Entry): object {
  if (entry.type !== "unknown") return entry;
  const { id, parentId, timestamp, raw } = entry;
  return { ...raw, id, parentId, timestamp };
}

/** Every string in a JSON value, without its secrets. */
function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redacted(item, redact)]));
}
