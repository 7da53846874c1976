// What is used of pi's session manager. Its packages are in this folder alone, so the module is named by its path and its
// shape is said here.

import { join } from "node:path";

export interface PiSessionManager {
  getSessionFile(): string | undefined;
  getSessionId(): string;
  getSessionName(): string | undefined;
  getLeafId(): string | null;
  getEntries(): readonly PiEntry[];
  getBranch(fromId?: string): readonly PiEntry[];
  buildSessionContext(): {
    readonly messages: readonly object[];
    readonly thinkingLevel: string;
    readonly model: { readonly provider: string; readonly modelId: string } | null;
  };
  appendMessage(message: object): string;
  appendThinkingLevelChange(level: string): string;
  appendModelChange(provider: string, modelId: string): string;
  appendCompaction(
    summary: string,
    firstKeptEntryId: string,
    tokensBefore: number,
    details?: unknown,
  ): string;
  appendCustomEntry(customType: string, data?: unknown): string;
  appendCustomMessageEntry(customType: string, content: string, display: boolean, details?: unknown): string;
  appendSessionInfo(name: string): string;
  appendLabelChange(targetId: string, label: string | undefined): string;
  branch(entryId: string): void;
  branchWithSummary(entryId: string, summary: string): string;
}

export interface PiEntry {
  readonly id: string;
  readonly type: string;
}

interface PiModule {
  readonly SessionManager: {
    create(cwd: string, sessionDir: string): PiSessionManager;
    open(path: string, sessionDir: string): PiSessionManager;
  };
}

const MODULE = "node_modules/@mariozechner/pi-coding-agent/dist/core/session-manager.js";

/** pi's own code. */
export async function loadPi(): Promise<PiModule["SessionManager"]> {
  const module: PiModule = await import(join(import.meta.dir, MODULE));
  return module.SessionManager;
}
