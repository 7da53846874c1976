// The formats that are converted while they are read, most distinctive first.

import { claudeFormat } from "./claude.ts";
import { codexV1Format } from "./codex-v1.ts";
import { codexV2Format } from "./codex-v2.ts";
import { codexV3Format } from "./codex-v3.ts";
import { copilotFormat } from "./copilot.ts";
import type { ForeignFormat, ForeignFormatName } from "./format.ts";
import { geminiFormat } from "./gemini.ts";
import { opencodeFormat } from "./opencode.ts";

export const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  codexV3Format,
  claudeFormat,
  copilotFormat,
  geminiFormat,
  opencodeFormat,
  codexV1Format,
  codexV2Format,
];

/** The format of that name. */
export function foreignFormat(name: ForeignFormatName): ForeignFormat {
  const found = FOREIGN_FORMATS.find((format) => format.name === name);
  if (found === undefined) throw new Error(`no format ${name}`);
  return found;
}
