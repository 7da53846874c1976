// Names of formats for people.

import type { SessionFormat } from "../session.ts";

const LABELS: Readonly<Record<SessionFormat, string>> = {
  "pi-v1": "pi, version 1",
  "pi-v2": "pi, version 2",
  "pi-v3": "pi, version 3",
  claude: "Claude Code",
  "codex-v1": "Codex CLI, first generation",
  "codex-v2": "Codex CLI, second generation",
  "codex-v3": "Codex CLI, third generation",
  opencode: "OpenCode export",
  gemini: "Gemini CLI",
  copilot: "Copilot CLI",
};

/** `Codex CLI, third generation`. */
export function formatLabel(format: SessionFormat): string {
  return LABELS[format];
}
