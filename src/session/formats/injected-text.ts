// Text that an agent put into the user's mouth: notifications, environment blocks, command echoes. It stands before, or
// in place of, what a person typed. What is none of the known forms is the person's own.

/**
 * A known form. `tag`: an element with that name. `start`: a text that begins so, up to and with the line that `until`
 * finds; without one, all of it.
 */
export type InjectedForm =
  | { readonly tag: RegExp; readonly kind: string; readonly display?: true }
  | { readonly start: RegExp; readonly until?: RegExp; readonly kind: string; readonly display?: true };

export interface InjectedPiece {
  readonly kind: string;
  readonly text: string;
  readonly display: boolean;
}

export interface SplitText {
  readonly injected: readonly InjectedPiece[];
  /** What the person typed; empty if all of it was injected. */
  readonly rest: string;
}

/** Takes known forms off the beginning of a text. */
export function splitInjected(text: string, forms: readonly InjectedForm[]): SplitText {
  const injected: InjectedPiece[] = [];
  let rest = text;
  for (;;) {
    const piece = leadingPiece(rest, forms);
    if (piece === undefined) return { injected, rest: injected.length === 0 ? text : rest.trim() };
    const last = injected.at(-1);
    if (last?.kind === piece.kind)
      injected[injected.length - 1] = { ...last, text: `${last.text}\n${piece.text}` };
    else injected.push(piece);
    rest = rest.trimStart().slice(piece.text.length);
  }
}

function leadingPiece(text: string, forms: readonly InjectedForm[]): InjectedPiece | undefined {
  const start = text.trimStart();
  if (start === "") return undefined;
  for (const form of forms) {
    const piece = "tag" in form ? elementAt(start, form.tag) : textUntil(start, form);
    if (piece !== undefined) return { kind: form.kind, text: piece, display: form.display ?? false };
  }
  return undefined;
}

function textUntil(
  text: string,
  { start, until }: { readonly start: RegExp; readonly until?: RegExp },
): string | undefined {
  if (!start.test(text)) return undefined;
  const end = until?.exec(text);
  return end ? text.slice(0, end.index + end[0].length) : text;
}

/** The element that the text begins with, to its end tag; to the text's end where that is missing. */
function elementAt(text: string, tag: RegExp): string | undefined {
  const name = /^<([\w-]+(?: instructions)?)[\s>]/.exec(text)?.[1];
  if (name === undefined || !tag.test(name)) return undefined;
  const close = `</${name}>`;
  const end = text.indexOf(close);
  return end < 0 ? text : text.slice(0, end + close.length);
}
