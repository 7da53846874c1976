// The prompt of a run: arguments, stdin, or both, and attached files.

import { AppError } from "../base/errors.ts";
import { withoutLast } from "../base/text.ts";
import type { ContentBlock, ImageBlock } from "../model/messages.ts";
import type { CommandContext } from "./command.ts";
import { isAttachment, readAttachment } from "./run-attach.ts";

/** What was asked for, before templates are expanded. */
export interface PromptInput {
  /** The arguments' text, or stdin's if there is none: what may be a template or a command. */
  readonly text: string;
  /** What stdin adds to arguments, to stand after a blank line. */
  readonly piped: string;
  /** Attached files as text, to stand after it. */
  readonly files: readonly string[];
  readonly images: readonly ImageBlock[];
}

/**
 * Reads the prompt. `stdinIsTaken`: stdin is something else (`--session -`). Throws `AppError` (`usage`) if there is
 * none, (`notFound`, `input`) for a file that cannot be attached.
 */
export async function readPrompt(context: CommandContext, stdinIsTaken: boolean): Promise<PromptInput> {
  const words = context.args.filter((word) => word !== "-");
  const asksForStdin = words.length < context.args.length;
  if (asksForStdin && stdinIsTaken) {
    throw new AppError("usage", "stdin cannot be both the session and the prompt", {
      hint: "Give the prompt as an argument, or the session as a file.",
    });
  }
  const texts: string[] = [];
  const files: string[] = [];
  const images: ImageBlock[] = [];
  for (const word of words) {
    if (!isAttachment(word, context.cwd)) {
      texts.push(word);
      continue;
    }
    const attachment = readAttachment(word.slice(1), context.cwd);
    if (attachment.kind === "text") files.push(attachment.text);
    else images.push(attachment.image);
  }
  const typed = texts.join(" ");
  const reads = !stdinIsTaken && (asksForStdin || readsStdin(context, words.length > 0));
  const piped = reads ? await readText(context) : "";
  const [text = "", added = ""] = [typed, piped].filter((part) => part.trim() !== "");
  if (text === "" && files.length === 0 && images.length === 0) throw noPrompt(reads);
  return { text, piped: added, files, images };
}

/**
 * Without a prompt argument a pipe or a regular file is read; with one, a pipe only, so that a loop over a list keeps
 * its list. Sockets, devices and terminals are read for `-` alone.
 */
function readsStdin({ flags, io }: CommandContext, hasArguments: boolean): boolean {
  if (flags.has("no-stdin")) return false;
  return io.stdin.kind === "pipe" || (io.stdin.kind === "file" && !hasArguments);
}

async function readText({ io, signal }: CommandContext): Promise<string> {
  const decoder = new TextDecoder("utf-8");
  let text = "";
  for await (const chunk of io.stdin.bytes("the prompt", signal, "--no-stdin"))
    text += decoder.decode(chunk, { stream: true });
  return withoutLast(text + decoder.decode(), "\n");
}

function noPrompt(readStdin: boolean): AppError {
  return new AppError("usage", readStdin ? "the prompt is empty: stdin had no text" : "no prompt given", {
    hint: 'agent run "..." takes it as an argument; echo "..." | agent run takes it from stdin.',
  });
}

/** The content of the user message. */
export function promptContent(input: PromptInput): string | readonly ContentBlock[] {
  const text = [input.text, input.piped, ...input.files].filter((part) => part !== "").join("\n\n");
  if (input.images.length === 0) return text;
  return [...(text === "" ? [] : [{ type: "text" as const, text }]), ...input.images];
}
