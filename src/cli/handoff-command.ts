// One `agent handoff` from its flags to its exit code: read, write the document, make the new session, print.

import { existsSync, rmSync } from "node:fs";
import { AppError, toAppError } from "../base/errors.ts";
import { plural } from "../base/text.ts";
import { messagesOnBranch } from "../handoff/branch.ts";
import { endOfStep } from "../handoff/lifecycle.ts";
import { type NewSession, successorHeader, writeSuccessor } from "../handoff/transfer.ts";
import type { WrittenHandoff } from "../handoff/written.ts";
import type { SessionHeader } from "../session/entry.ts";
import type { Session } from "../session/session.ts";
import { newSessionPath, storeDirectory } from "../session/store.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext } from "./command.ts";
import { EXIT_FINDINGS, EXIT_OK } from "./exit.ts";
import { type HandoffWish, handoffWish } from "./handoff-flags.ts";
import { writeOffline } from "./handoff-offline.ts";
import { printHandoff } from "./handoff-output.ts";
import { type HandoffReport, handoffRecord, handoffReport } from "./handoff-result.ts";
import { sessionFiles, sharedFiles } from "./output-clash.ts";
import { resultPlace, writeResultFile } from "./result-file.ts";
import { startDeadline } from "./run-deadline.ts";
import { openSessionArgument, warnOfProblems } from "./session-arg.ts";
import { settingsOf } from "./settings-of.ts";

/** Gives the exit code, or throws the `AppError` of the handoff's end, after `--result` was written. */
export async function runHandoffCommand(context: CommandContext): Promise<number> {
  const report = handoffReport();
  const { to, fault } = resultPlace(context, () => [
    ...context.args.flatMap((name) => sessionFiles(context, "the session to hand off", name)),
    ...sharedFiles(context),
  ]);
  const end = fault ?? (await handOff(context, report).catch(toAppError));
  context.io.progress(undefined);
  const unwritten = await writeResultFile(handoffRecord(report, end), to);
  if (end instanceof AppError) {
    if (unwritten !== undefined) context.io.warning(unwritten.message);
    throw end;
  }
  if (unwritten !== undefined) throw unwritten;
  return end;
}

/** The record of a command line that could not be parsed. */
export function refusedHandoff(error: AppError): object {
  return handoffRecord(handoffReport(), error);
}

/** Reads, writes the document, makes the new session and prints; `report` is filled as it goes. Gives the exit code. */
export async function handOff(context: CommandContext, report: HandoffReport): Promise<number> {
  const name = sessionName(context);
  const settings = await settingsOf(context);
  const maxTimeMs = context.flags.duration("max-time") ?? settings.limits.maxTimeMs;
  const deadline = startDeadline(maxTimeMs, context.signal);
  context.io.stdout.giveUpAt(deadline.signal);
  try {
    return await handOffInTime({ ...context, signal: deadline.signal }, { name, settings, report });
  } catch (thrown) {
    throw deadline.signal.aborted ? endOfStep(toAppError(thrown), deadline.signal) : thrown;
  } finally {
    deadline.stop();
  }
}

interface InTimeParts {
  readonly name: string;
  readonly settings: Settings;
  readonly report: HandoffReport;
}

/** The limit of time holds for every step of it: reading, waiting for locks, the model, the new session. */
async function handOffInTime(context: CommandContext, parts: InTimeParts): Promise<number> {
  const { io, signal } = context;
  const { name, settings, report } = parts;
  const wish = handoffWish(context, settings);
  if (wish.into !== undefined && existsSync(wish.into))
    throw new AppError("usage", `--into: something is at "${wish.into}" already`);
  const session = await sessionToHandOff(context, name);
  const written = await writeHandoff(context, { session, settings, wish, report });
  warnOfProblems(context, session.problems);
  report.text = written.document;
  if (written.missing.length > 0) {
    const text = `sections missing from the document: ${written.missing.join(", ")}`;
    // With --strict it is why the exit is not 0, which --quiet does not hide.
    if (wish.strict) io.error(`${text} (--strict)`);
    else io.warning(text);
  }
  const header = successorHeader(session.header, context.cwd);
  const next = await transfer(context, { wish, header, document: written.document });
  report.next = next;
  try {
    signal.throwIfAborted();
    await printHandoff(context, { wish, written, next, header, session });
  } catch (thrown) {
    // Nobody was told of it, so it would only lie in the store.
    if (next !== undefined) rmSync(next.path, { force: true });
    report.next = undefined;
    throw thrown;
  }
  return wish.strict && written.missing.length > 0 ? EXIT_FINDINGS : EXIT_OK;
}

/**
 * The session that the argument means. A handoff begins a session, which then is the latest one: until somebody goes on in
 * it, `latest` means the one before it, so that a second call does what the first did. Throws `AppError` (`nothing`).
 */
async function sessionToHandOff(context: CommandContext, name: string): Promise<Session> {
  const session = await openSessionArgument(context, name);
  if (messagesOnBranch(session) >= 2) return session;
  const before = session.header.parentSession;
  if (before === undefined || before === session.header.id) throw nothingToHandOff(session);
  if (name !== "latest" || context.flags.has("from")) throw nothingToHandOff(session, before);
  const parent = await openSessionArgument(context, before).catch(() => undefined);
  if (parent === undefined || messagesOnBranch(parent) < 2) throw nothingToHandOff(session, before);
  context.io.notice(`nothing was said in the latest session yet: this is the one before it, ${before}`);
  return parent;
}

/** A session that cannot be read looks like one that holds nothing: where something is wrong with it, the hint says so. */
function nothingToHandOff({ problems }: Session, before?: string): AppError {
  const hints = [
    ...(before === undefined ? [] : [`It goes on from session ${before}.`]),
    ...(problems.length === 0
      ? []
      : [`The session has ${plural(problems.length, "problem")}: agent session check says which.`]),
  ];
  const hint = hints.length === 0 ? {} : { hint: hints.join(" ") };
  return new AppError("nothing", "Nothing to hand off (no messages yet)", hint);
}

interface HandoffParts {
  readonly session: Session;
  readonly settings: Settings;
  readonly wish: HandoffWish;
  readonly report: HandoffReport;
}

/** What asks a model is most of the program: it is loaded only where a model may be asked. */
async function writeHandoff(context: CommandContext, parts: HandoffParts): Promise<WrittenHandoff> {
  const { session, wish } = parts;
  if (wish.engine === "offline") return await writeOffline(session, wish, context.signal);
  const { chooseEngine } = await import("./handoff-engine.ts");
  if ((await chooseEngine(context, parts)) === "offline")
    return await writeOffline(session, wish, context.signal);
  const { writeWithModel } = await import("./handoff-model.ts");
  return await writeWithModel(context, parts);
}

function sessionName({ args }: CommandContext): string {
  const [name, extra] = args;
  if (name === undefined)
    throw new AppError("usage", "a session is needed", {
      hint: "Give a path, a session id or its beginning, latest, or - for stdin.",
    });
  if (extra !== undefined) throw new AppError("usage", `handoff takes one session, but "${extra}" follows`);
  return name;
}

interface TransferParts {
  readonly wish: HandoffWish;
  readonly header: SessionHeader;
  readonly document: string;
}

/** The new session on the disk; undefined if none is wanted. A signal that came before leaves none. */
async function transfer(context: CommandContext, parts: TransferParts): Promise<NewSession | undefined> {
  const { pid, hostname, signal } = context;
  const { wish, header, document } = parts;
  if (!wish.newSession) return undefined;
  const path = wish.into ?? newSessionPath(storeDirectory(context), header);
  try {
    return await writeSuccessor({
      header,
      path,
      document,
      owner: { pid, hostname },
      waitMs: wish.waitMs,
      signal,
    });
  } catch (thrown) {
    throw endOfStep(toAppError(thrown), signal);
  }
}
