// What a value of the permission flags looks like. Theirs is given after `=` only, so a space in its place would grant
// everything and send the value as the prompt; a next word that can be such a value is for the caller to sort out.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findInPath, isExecutable } from "../tools/process/find-program.ts";
import type { LooksLikeValue } from "./command.ts";

/** A list, or a path that is there. */
export const looksLikePaths: LooksLikeValue = (word, { cwd }) =>
  isListOrPath(word) || (isOneWord(word) && existsSync(resolve(cwd, word)));

/** A list or a path, or a program of `PATH`. */
export const looksLikePrograms: LooksLikeValue = (word, { cwd, env }) =>
  isListOrPath(word) ||
  (isOneWord(word) &&
    (findInPath(word, env["PATH"] ?? "") !== undefined || isExecutable(resolve(cwd, word))));

/** A list, or a variable that is set. */
export const looksLikeVariables: LooksLikeValue = (word, { env }) =>
  isListOrPath(word) || env[word] !== undefined;

/** A list, or a name with dots. */
export const looksLikeHosts: LooksLikeValue = (word) => isListOrPath(word);

function isOneWord(word: string): boolean {
  return word !== "" && !/\s/.test(word);
}

/** `git,npm`, `./src`, `~/x`, `..`; not `Continue.`, and not `@file`, which attaches a file. */
function isListOrPath(word: string): boolean {
  if (!isOneWord(word) || word.startsWith("@") || /^\p{L}+[.…]+$/u.test(word)) return false;
  return /[,/.~]/.test(word);
}
