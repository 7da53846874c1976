// The evidence as data: what `--output json` prints beside the document.

import type {
  CommandFact,
  CommitFact,
  ErrorFact,
  Facts,
  FileFact,
  GitFact,
  IncidentFact,
  QuoteFact,
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
  readonly constraints: readonly Quotation[];
  readonly decisions: readonly Quotation[];
  readonly modelErrors: readonly IncidentFact[];
  readonly rules: readonly IncidentFact[];
}

/** What the document quotes, without how much it weighs. */
export type Quotation = Omit<QuoteFact, "weight">;

/** The evidence of facts, all of it. */
export function evidenceOf(facts: Facts): Evidence {
  const { files, commands, failing, lastError, tasks, commits, requests, git, tests } = facts;
  return {
    files,
    commands,
    failing,
    lastError,
    tasks,
    commits,
    requests,
    git,
    tests,
    constraints: facts.constraints.map(quotation),
    decisions: facts.decisions.map(quotation),
    modelErrors: facts.modelErrors,
    rules: facts.rules,
  };
}

function quotation({ weight: _, ...quoted }: QuoteFact): Quotation {
  return quoted;
}
