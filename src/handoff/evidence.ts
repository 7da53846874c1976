// The evidence as data: what `--output json` prints beside the document.

import type {
  CommandFact,
  CommitFact,
  ErrorFact,
  Facts,
  FileFact,
  GitFact,
  RequestFact,
  TaskFact,
  TestFact,
} from "./facts/facts.ts";

/** Every item names the entry that it rests on. */
export interface Evidence {
  readonly files: readonly FileFact[];
  readonly commands: readonly CommandFact[];
  readonly failing: readonly CommandFact[];
  readonly lastError: ErrorFact | null;
  readonly tasks: readonly TaskFact[];
  readonly commits: readonly CommitFact[];
  readonly requests: readonly RequestFact[];
  readonly git: GitFact;
  readonly tests: readonly TestFact[];
}

/** The evidence of facts, all of it. */
export function evidenceOf(facts: Facts): Evidence {
  const { files, commands, failing, lastError, tasks, commits, requests, git, tests } = facts;
  return { files, commands, failing, lastError, tasks, commits, requests, git, tests };
}
