// Colours for one stream. Whether they are used was decided where the stream was opened, so the platform is told not to
// decide again.

import { styleText } from "node:util";

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

export type Paint = Readonly<Record<Style, (text: string) => string>>;

/** Functions that colour text, or leave it as it is. */
export function paintFor(color: boolean): Paint {
  const style = (name: Style) => (text: string) =>
    color && text !== "" ? styleText(name, text, { validateStream: false }) : text;
  return {
    bold: style("bold"),
    dim: style("dim"),
    red: style("red"),
    green: style("green"),
    yellow: style("yellow"),
    cyan: style("cyan"),
  };
}
