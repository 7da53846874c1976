// A reading of a command line that is good enough to say what it ran and what it wrote: quotes, pipes, lists,
// redirections and here-documents are understood, expansions are not. Nothing is ever run or refused by it.

export interface Redirect {
  /** `>`, `>>`, `<`, `<<`, `&>`, `2>` … */
  readonly operator: string;
  readonly target: string;
}

export interface SimpleCommand {
  /** Quotes removed. Assignments and words like `then` before the program are left out. */
  readonly words: readonly string[];
  readonly redirects: readonly Redirect[];
  /** The text of its here-document. */
  readonly hereDocument?: string;
  /** In how many groups of `( )` it stands. */
  readonly depth: number;
  /** What follows it: `|`, `&&`, `||`, `;`, `&`, or nothing. */
  readonly separator: string;
}

/** Longer lines are read up to here: what comes later is the text of a here-document or generated data. */
const MAX_LENGTH = 64 * 1024;
/** How far the end of a test is looked for. */
const MAX_TEST = 1000;

type Token =
  | { readonly kind: "word"; readonly text: string; readonly quoted: boolean }
  | { readonly kind: "operator"; readonly text: string }
  | { readonly kind: "redirect"; readonly text: string };

/** The simple commands of a line in order. A line that cannot be read gives what was read before. */
export function parseCommandLine(line: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let redirects: Redirect[] = [];
  let pendingRedirect: string | undefined;
  let hereDocument: string | undefined;
  let depth = 0;
  const end = (separator: string) => {
    const program = words.findIndex((word) => !BEFORE_PROGRAM.test(word));
    const kept = program < 0 ? [] : words.slice(program);
    if (kept.length > 0 || redirects.length > 0) {
      commands.push({
        words: kept,
        redirects,
        depth,
        separator,
        ...(hereDocument === undefined ? {} : { hereDocument }),
      });
    } else {
      // What follows a closed group follows the last command in it.
      const last = commands.at(-1);
      if (last?.separator === ")") commands[commands.length - 1] = { ...last, separator };
    }
    words = [];
    redirects = [];
    hereDocument = undefined;
    if (separator === "(") depth += 1;
    if (separator === ")") depth = Math.max(0, depth - 1);
  };
  for (const token of tokens(line.slice(0, MAX_LENGTH), (text) => {
    hereDocument = text;
  })) {
    if (token.kind === "operator") {
      end(token.text);
      pendingRedirect = undefined;
    } else if (token.kind === "redirect") {
      pendingRedirect = token.text;
    } else if (pendingRedirect !== undefined) {
      redirects.push({ operator: pendingRedirect, target: token.text });
      pendingRedirect = undefined;
    } else {
      words.push(token.text);
    }
  }
  end("");
  return commands;
}

const BEFORE_PROGRAM = /^(?:[A-Za-z_]\w*=.*|if|then|else|elif|while|until|do|!|\{)$/s;
const OPERATOR = /^(?:&&|\|\||\|&|;;|[|;&\n()])/;
const REDIRECT = /^(?:\d*(?:>>|>\||>&|>|<<<|<<-|<<|<)|&>>|&>)/;

function* tokens(line: string, hereText: (text: string) => void): Generator<Token> {
  let at = 0;
  let delimiter: string | undefined;
  let awaitsDelimiter = false;
  while (at < line.length) {
    const rest = line.slice(at, at + 4);
    const char = rest[0] ?? "";
    if (char === "\n" && delimiter !== undefined) {
      const body = hereDocumentAt(line, at + 1, delimiter);
      hereText(body.text);
      at = body.end;
      delimiter = undefined;
      yield { kind: "operator", text: "\n" };
    } else if (char === "\\" && line[at + 1] === "\n") {
      at += 2;
    } else if (char === " " || char === "\t" || char === "\r") {
      at += 1;
    } else if (char === "#") {
      const newline = line.indexOf("\n", at);
      at = newline < 0 ? line.length : newline;
    } else {
      const test = testAt(line, at);
      if (test !== undefined) {
        yield { kind: "word", text: test.text, quoted: true };
        at = test.end;
        continue;
      }
      const redirect = REDIRECT.exec(rest)?.[0];
      const operator = redirect === undefined ? OPERATOR.exec(rest)?.[0] : undefined;
      if (redirect !== undefined) {
        at += redirect.length;
        awaitsDelimiter = /(?:^|[^<])<<-?$/.test(redirect);
        yield { kind: "redirect", text: redirect.replace(/^\d+/, "") };
      } else if (operator !== undefined) {
        at += operator.length;
        yield { kind: "operator", text: operator };
      } else {
        const word = wordAt(line, at);
        at = word.end;
        if (awaitsDelimiter) delimiter = word.text;
        awaitsDelimiter = false;
        yield { kind: "word", text: word.text, quoted: word.quoted };
      }
    }
  }
}

interface Piece {
  readonly text: string;
  readonly end: number;
}

/** `(( … ))`, and what stands between `[[` and `]]`: a `>` in there compares. */
function testAt(line: string, start: number): Piece | undefined {
  const mark = line.slice(start, start + 2);
  if (mark === "((") return upTo(line, { start, from: start + 2, close: "))" });
  return line.slice(Math.max(0, start - 3), start).trimStart() === "[[ "
    ? upTo(line, { start, from: start, close: " ]]" })
    : undefined;
}

/** The text to the end of `close` on the same line; undefined if it does not close there. */
function upTo(
  line: string,
  { start, from, close }: { readonly start: number; readonly from: number; readonly close: string },
): Piece | undefined {
  const near = line.slice(from, from + MAX_TEST);
  const length = near.indexOf(close);
  if (length < 0 || near.slice(0, length).includes("\n")) return undefined;
  const end = from + length + close.length;
  return { text: line.slice(start, end), end };
}

/** One word: bare text, quoted parts and `$( )` taken together. */
function wordAt(line: string, start: number): Piece & { readonly quoted: boolean } {
  let text = "";
  let quoted = false;
  let at = start;
  while (at < line.length) {
    const char = line[at] ?? "";
    if (char === "'") {
      const close = line.indexOf("'", at + 1);
      const end = close < 0 ? line.length : close;
      text += line.slice(at + 1, end);
      at = end + 1;
      quoted = true;
    } else if (char === '"') {
      const part = doubleQuotedAt(line, at + 1);
      text += part.text;
      at = part.end;
      quoted = true;
    } else if (char === "\\") {
      text += line[at + 1] ?? "";
      at += 2;
    } else if (char === "$" && line[at + 1] === "(") {
      const end = closingParen(line, at + 1);
      text += line.slice(at, end);
      at = end;
    } else if (/[\s|;&<>()]/.test(char)) {
      break;
    } else {
      text += char;
      at += 1;
    }
  }
  return { text, quoted, end: Math.max(at, start + 1) };
}

function doubleQuotedAt(line: string, start: number): Piece {
  let text = "";
  let at = start;
  while (at < line.length && line[at] !== '"') {
    if (line[at] === "\\" && /["\\$`]/.test(line[at + 1] ?? "")) at += 1;
    text += line[at] ?? "";
    at += 1;
  }
  return { text, end: at + 1 };
}

function closingParen(line: string, open: number): number {
  let depth = 0;
  for (let at = open; at < line.length; at++) {
    if (line[at] === "(") depth += 1;
    if (line[at] === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return line.length;
}

function hereDocumentAt(line: string, start: number, delimiter: string): Piece {
  let at = start;
  while (at < line.length) {
    const newline = line.indexOf("\n", at);
    const end = newline < 0 ? line.length : newline;
    if (line.slice(at, end).trim() === delimiter)
      return { text: line.slice(start, at), end: newline < 0 ? end : end };
    at = end + 1;
  }
  return { text: line.slice(start), end: line.length };
}
