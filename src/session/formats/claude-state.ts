// What the conversion of a Claude Code file remembers between lines.

import type { JsonObject } from "../../base/json.ts";
import { slim } from "./blocks.ts";
import { createOrdinals, type Ordinals } from "./ordinals.ts";
import type { ConversionOutput, Place } from "./output.ts";
import { createTurn, type Turn } from "./turn.ts";

export interface ClaudeState {
  readonly output: ConversionOutput;
  readonly turn: Turn;
  readonly ordinals: Ordinals;
  /** Ordinals of the line that is being read, and of the last prompt. */
  ordinal: number;
  lastPrompt: number;
  /** A file that begins with a sidechain message is a subagent's own: its messages are the session. */
  isSubagent: boolean | undefined;
  /** A compaction whose summary has not come yet. */
  boundary: { readonly metadata: JsonObject; readonly place: Place } | undefined;
  /** A command that the user ran, whose output has not come yet. */
  bash: { readonly command: string; readonly place: Place } | undefined;
  /** Text of the last prompt: a queued command may repeat it. */
  promptText: string;
  model: string | undefined;
  titled: "own" | "made" | undefined;
  /** Ids that results name: these subagents' messages may lie in files of their own. */
  readonly subagents: Set<string>;
  readonly summaries: { readonly title: string; readonly leaf: string; readonly place: Place }[];
}

export function createClaudeState(output: ConversionOutput): ClaudeState {
  const ordinals = createOrdinals();
  const turn = createTurn(output, (id, place) => {
    const uuid = place.source.value["uuid"];
    const ordinal = typeof uuid === "string" ? ordinals.of(uuid) : undefined;
    if (ordinal !== undefined) ordinals.placed(ordinal, id);
  });
  return {
    output,
    turn,
    ordinals,
    ordinal: 0,
    lastPrompt: 0,
    isSubagent: undefined,
    boundary: undefined,
    bash: undefined,
    promptText: "",
    model: undefined,
    titled: undefined,
    subagents: new Set(),
    summaries: [],
  };
}

/** Members that every line has; what is left of a line is its own. */
const COMMON: ReadonlySet<string> = new Set([
  "type",
  "subtype",
  "uuid",
  "parentUuid",
  "sessionId",
  "timestamp",
  "cwd",
  "gitBranch",
  "version",
  "isSidechain",
  "userType",
  "entrypoint",
  "slug",
  "toolUseResult",
]);

/** What a line holds beside the common members. */
export function dataOf(value: JsonObject): JsonObject {
  return slim(value, COMMON);
}

/** A command whose output never came. */
export function flushBash(state: ClaudeState, result?: string): void {
  const { bash } = state;
  if (bash === undefined) return;
  state.bash = undefined;
  state.output.message(
    {
      role: "bashExecution",
      command: bash.command,
      output: result ?? "",
      cancelled: false,
      truncated: false,
    },
    bash.place,
  );
}
