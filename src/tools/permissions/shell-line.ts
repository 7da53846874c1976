// A small, strict reader of shell command lines: simple commands joined by | && || ; and newlines, with quotes, plain
// redirections and patterns. Whatever else the shell knows is refused with the reason, never guessed at. What was
// understood is rendered anew, every word quoted, so that the shell cannot understand it differently.

import { Refused, type Word, wordAt, wordText } from "./shell-word.ts";

export type Redirect =
  | { readonly kind: "read" | "write" | "append"; readonly fd: 0 | 1 | 2; readonly target: string }
  /** `2>&1` */
  | { readonly kind: "duplicate"; readonly fd: 1 | 2; readonly from: 1 | 2 };

export interface SimpleCommand {
  /** At least one; the first has no pattern in it. */
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

export type Joiner = "|" | "&&" | "||" | ";";

/** `joiners[i]` stands between `commands[i]` and `commands[i + 1]`. */
export interface ShellLine {
  readonly commands: readonly SimpleCommand[];
  readonly joiners: readonly Joiner[];
}

export type ParsedShellLine =
  | { readonly ok: true; readonly line: ShellLine }
  | { readonly ok: false; readonly reason: string };

type Token =
  | { readonly kind: "word"; readonly word: Word; readonly unquoted: string }
  | { readonly kind: "join"; readonly joiner: Joiner }
  | {
      readonly kind: "redirect";
      readonly operator: "read" | "write" | "append" | "duplicate";
      readonly fd: 0 | 1 | 2;
    };

/** Reads a command line, or says why it cannot be judged. */
export function parseShellLine(text: string): ParsedShellLine {
  try {
    return { ok: true, line: assemble(tokensOf(text)) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.message };
    throw error;
  }
}

function tokensOf(text: string): readonly Token[] {
  const control = /[\u0000-\u0008\u000b-\u001f\u007f]/.exec(text);
  if (control !== null) throw new Refused("it has a control character");
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const operator = operatorAt(text, at);
    if (operator !== undefined) {
      if (operator.token !== undefined) tokens.push(operator.token);
      at = operator.end;
      continue;
    }
    const { word, unquoted, end } = wordAt(text, at);
    const fd = descriptorBefore(unquoted, word, text[end]);
    const next = fd === undefined ? undefined : operatorAt(text, end, fd);
    if (next?.token === undefined) tokens.push({ kind: "word", word, unquoted });
    else tokens.push(next.token);
    at = next === undefined ? end : next.end;
  }
  return tokens;
}

/** `2` directly before `>` is a descriptor, not a word. */
function descriptorBefore(unquoted: string, word: Word, next: string | undefined): number | undefined {
  const digits = /^\d+$/.test(unquoted) && unquoted === wordText(word);
  return digits && (next === "<" || next === ">") ? Number(unquoted) : undefined;
}

interface Operator {
  /** `undefined`: white space or a comment. */
  readonly token: Token | undefined;
  readonly end: number;
}

function operatorAt(text: string, at: number, fd?: number): Operator | undefined {
  const rest = text.slice(at, at + 3);
  const join = (joiner: Joiner, length: number): Operator => ({
    token: { kind: "join", joiner },
    end: at + length,
  });
  switch (text[at]) {
    case " ":
    case "\t":
      return { token: undefined, end: at + 1 };
    case "\n":
      return join(";", 1);
    case "#": {
      const end = text.indexOf("\n", at);
      return { token: undefined, end: end < 0 ? text.length : end };
    }
    case ";":
      if (rest.startsWith(";;")) throw new Refused("`;;` belongs to a shell construct");
      return join(";", 1);
    case "&":
      if (rest.startsWith("&&")) return join("&&", 2);
      throw new Refused(
        rest.startsWith("&>")
          ? "`&>` is not judged; write `> file 2>&1`"
          : "`&` starts a job in the background",
      );
    case "|":
      if (rest.startsWith("||")) return join("||", 2);
      if (rest.startsWith("|&")) throw new Refused("`|&` is not judged; write `2>&1 |`");
      return join("|", 1);
    case "(":
    case ")":
      throw new Refused("a subshell or function needs a shell to be judged");
    case "<":
    case ">":
      return redirectAt(text, at, fd);
    default:
      return undefined;
  }
}

function redirectAt(text: string, at: number, given: number | undefined): Operator {
  const rest = text.slice(at, at + 3);
  if (rest.startsWith("<(") || rest.startsWith(">("))
    throw new Refused("process substitution starts a program");
  if (rest.startsWith("<<")) throw new Refused("here-documents are not judged");
  if (rest.startsWith("<>") || rest.startsWith("<&") || rest.startsWith(">|"))
    throw new Refused(`the redirection \`${rest.slice(0, 2)}\` is not judged`);
  const input = rest.startsWith("<");
  const fd = given ?? (input ? 0 : 1);
  if (fd !== 0 && fd !== 1 && fd !== 2) throw new Refused(`descriptor ${fd} is not judged`);
  if ((fd === 0) !== input)
    throw new Refused(`redirection of descriptor ${fd} in this direction is not judged`);
  if (input) return { token: { kind: "redirect", operator: "read", fd }, end: at + 1 };
  if (rest.startsWith(">>")) return { token: { kind: "redirect", operator: "append", fd }, end: at + 2 };
  if (rest.startsWith(">&")) return { token: { kind: "redirect", operator: "duplicate", fd }, end: at + 2 };
  return { token: { kind: "redirect", operator: "write", fd }, end: at + 1 };
}

function assemble(tokens: readonly Token[]): ShellLine {
  const commands: SimpleCommand[] = [];
  const joiners: Joiner[] = [];
  let words: Word[] = [];
  let redirects: Redirect[] = [];
  const endCommand = (): boolean => {
    if (words.length === 0 && redirects.length === 0) return false;
    if (words.length === 0) throw new Refused("a redirection without a program is not judged");
    commands.push({ words, redirects });
    words = [];
    redirects = [];
    return true;
  };
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.kind === "word") {
      if (words.length === 0) refuseFirstWord(token.unquoted, token.word);
      words.push(token.word);
    } else if (token.kind === "redirect") {
      const next = tokens[++index];
      redirects.push(redirectTo(token, next?.kind === "word" ? next.word : undefined));
    } else if (endCommand()) joiners.push(token.joiner);
    else if (token.joiner !== ";" || joiners.at(-1) === undefined) {
      if (token.joiner !== ";") throw new Refused(`\`${token.joiner}\` has no command before it`);
    }
  }
  const ended = endCommand();
  if (commands.length === 0) throw new Refused("there is no command");
  if (!ended) {
    const dangling = joiners.pop();
    if (dangling !== ";") throw new Refused(`\`${dangling}\` has no command after it`);
  }
  return { commands, joiners };
}

function refuseFirstWord(unquoted: string, word: Word): void {
  if (/^[A-Za-z_][A-Za-z0-9_]*(\[.*\])?\+?=/.test(unquoted))
    throw new Refused("a variable before a command changes what it does");
  if (unquoted === "!" || unquoted === "{" || unquoted === "}")
    throw new Refused(`\`${unquoted}\` needs a shell to be judged`);
  if (word.some((part) => part.pattern)) throw new Refused("the program's name is a pattern");
}

function redirectTo(token: Token & { readonly kind: "redirect" }, word: Word | undefined): Redirect {
  if (word === undefined) throw new Refused("a redirection has no target");
  if (word.some((part) => part.pattern)) throw new Refused("the target of a redirection is a pattern");
  const target = wordText(word);
  const { operator, fd } = token;
  if (operator !== "duplicate") return { kind: operator, fd, target };
  if (fd === 0 || (target !== "1" && target !== "2"))
    throw new Refused("only `2>&1` and `1>&2` are judged of the redirections to a descriptor");
  return { kind: "duplicate", fd, from: target === "1" ? 1 : 2 };
}
