// `@file` arguments: text goes into the prompt under its name, images go beside it.

import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { resolve } from "node:path";
import { AppError, codeOf } from "../base/errors.ts";
import { imageType } from "../base/image-type.ts";
import { reasonOf } from "../base/system-error.ts";
import type { ImageBlock } from "../model/messages.ts";

/** Most bytes of one attached file. Larger ones are for the tools to read piece by piece. */
const MAX_TEXT_BYTES = 1024 * 1024;
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

export type Attachment = { readonly kind: "text"; readonly text: string } | ImageAttachment;

interface ImageAttachment {
  readonly kind: "image";
  readonly image: ImageBlock;
}

/**
 * Whether an argument attaches a file: `@` and the name of one that is there. White space after `@` that names no file
 * is text (`@alice said so`); a single word that names none is an error (`notFound`).
 */
export function isAttachment(argument: string, cwd: string): boolean {
  if (!argument.startsWith("@") || argument.length === 1) return false;
  if (fs.existsSync(resolve(cwd, argument.slice(1)))) return true;
  if (/\s/.test(argument)) return false;
  throw new AppError("notFound", `Cannot attach "${argument.slice(1)}": there is no such file`, {
    hint: `If "${argument}" is part of the prompt, put it into one argument with the words around it.`,
  });
}

/** Reads a file to attach. Throws `AppError`: `input` for a directory, a binary file or one that is too large. */
export function readAttachment(name: string, cwd: string): Attachment {
  const bytes = readBounded(name, resolve(cwd, name));
  const mimeType = imageType(bytes);
  if (mimeType !== undefined) {
    return { kind: "image", image: { type: "image", data: Buffer.from(bytes).toString("base64"), mimeType } };
  }
  if (bytes.length > MAX_TEXT_BYTES) throw tooLarge(name, bytes.length, MAX_TEXT_BYTES);
  const text = decodeText(bytes);
  if (text === undefined) {
    throw new AppError(
      "input",
      `Cannot attach "${name}": it is neither UTF-8 text nor a PNG, JPEG, GIF or WebP image`,
    );
  }
  return {
    kind: "text",
    text: `<file path="${name.replaceAll('"', "&quot;")}">\n${text.replace(/\n$/, "")}\n</file>`,
  };
}

function readBounded(name: string, path: string): Uint8Array {
  try {
    const stat = fs.statSync(path);
    if (stat.isDirectory()) throw new AppError("input", `Cannot attach "${name}": it is a directory`);
    if (!stat.isFile()) throw new AppError("input", `Cannot attach "${name}": it is not a regular file`);
    if (stat.size > MAX_IMAGE_BYTES) throw tooLarge(name, stat.size, MAX_IMAGE_BYTES);
    return fs.readFileSync(path);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const kind = codeOf(error) === "ENOENT" ? "notFound" : "failed";
    throw new AppError(kind, `Cannot attach "${name}": ${reasonOf(error)}`, { cause: error });
  }
}

function tooLarge(name: string, size: number, limit: number): AppError {
  return new AppError("input", `Cannot attach "${name}": it has ${size} bytes, and ${limit} is the most`, {
    hint: "Name the file in the prompt instead, and the model reads what it needs.",
  });
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
