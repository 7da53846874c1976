// Colours for one stream: whether they are used was decided where the stream was opened, and is passed in.

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** Functions that colour text, or leave it as it is. */
export function paintFor(color: boolean): Paint {
  const style = (on: number, off: number) => (text: string) =>
    color && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}
