// What a session shows about its own work. Every fact carries the id of the entry that it rests on, so that
// `agent session show <session> --entry <id>` is the proof. Facts are bounded copies: no message text is kept alive.

/** How often a file was touched. `entryId` is the last change, or the last read of a file that was never changed. */
export interface FileFact {
  /** Relative to the session's working directory where it lies below it, else as it was given. */
  readonly path: string;
  readonly reads: number;
  readonly writes: number;
  readonly edits: number;
  /** The last change removed it. */
  readonly deleted: boolean;
  readonly entryId: string;
}

/**
 * `ok` and `failed`: it ended, and so; `failed` with exit code 0 where that is the code of what follows
 * in the line (a filter behind a pipe, `; echo`), and the output shows the failure.
 * `interrupted`: it was stopped. `unknown`: the session has no result for it.
 */
export type CommandStatus = "ok" | "failed" | "interrupted" | "unknown";

/** A command as it was typed (white space folded, at most 400 characters) and its last run. */
export interface CommandFact {
  readonly command: string;
  readonly status: CommandStatus;
  readonly exitCode: number | null;
  readonly runs: number;
  /** The telling line of the output of a run that did not succeed. */
  readonly error?: string;
  /** How many other commands were run since. */
  readonly age: number;
  /** It failed, but a later run of the same thing, perhaps written otherwise, succeeded. */
  readonly laterOk?: true;
  /** It only showed what is there, and went well. */
  readonly looks?: true;
  /** It looked for text, and there was none: its status is `failed`, and nothing is wrong. */
  readonly noMatch?: true;
  /** Of a failure: old, or builds of the same directory went well since. */
  readonly stale?: true;
  readonly entryId: string;
}

/** A call of a tool that is neither shell nor files nor task list: the web, a subagent, another program's server. */
export interface CallFact {
  readonly tool: string;
  /** The query, the address, the task; else the beginning of its arguments. */
  readonly purpose: string;
  readonly ok: boolean;
  readonly runs: number;
  readonly entryId: string;
}

export interface ErrorFact {
  readonly tool: string;
  /** The call's path or command. */
  readonly target: string;
  readonly text: string;
  /** Nothing later succeeded in its place. */
  readonly open: boolean;
  readonly entryId: string;
}

/** An error of the model's server, or a rule that cut the stream; how often, and the entry of the last time. */
export interface IncidentFact {
  /** The error, or the rule's name. */
  readonly text: string;
  readonly times: number;
  readonly entryId: string;
}

export type TaskState = "done" | "inProgress" | "pending" | "cancelled";

export interface TaskFact {
  readonly text: string;
  readonly state: TaskState;
  readonly entryId: string;
}

export interface CommitFact {
  readonly hash: string;
  readonly subject: string;
  readonly branch?: string;
  readonly entryId: string;
}

/** What the assistant asked, offered or listed. */
export interface Proposal {
  /** Clipped; lines of lists and code are parted by ⏎. */
  readonly text: string;
  readonly entryId: string;
}

export interface RequestFact {
  /** The user's own words, white space folded; injected text is taken out. `[image]` where there are none but an image. */
  readonly text: string;
  /** Id of a later request that takes this one back. */
  readonly supersededBy?: string;
  /** The answer to it was cut off, and nothing was done for it. */
  readonly interrupted?: true;
  /** Said in answer to a call's question, or when refusing it: what was asked before it still stands. */
  readonly remark?: true;
  /** What a short answer ("yes", "2") answers. */
  readonly answers?: Proposal;
  readonly entryId: string;
}

/** A command line that the user agreed to when it was proposed, and that was not done since. */
export interface AgreedStep {
  readonly command: string;
  readonly state: "notRun" | "failed";
  /** Of its last run, which failed; else of the message that proposed it. */
  readonly entryId: string;
}

/** A sentence of the session, quoted. `weight` orders them: higher is more telling. */
export interface QuoteFact {
  readonly text: string;
  readonly weight: number;
  /** Of a choice: the option that was chosen, in the words that listed it. */
  readonly chose?: Proposal;
  /** Of a choice: the question that it answers. */
  readonly answers?: Proposal;
  readonly entryId: string;
}

export interface TestFact {
  /** The runner's own summary line. */
  readonly summary: string;
  readonly passed: number | null;
  readonly failed: number | null;
  readonly command: string;
  readonly entryId: string;
}

export interface GitFact {
  readonly branch: string | null;
  readonly branchEntryId: string | null;
  readonly commit: string | null;
  /** Of the commit; of the branch where no commit is known. */
  readonly entryId: string | null;
}

/** How the session ends. */
export interface EndFact {
  /** `answered`: the last turn came to its end. `unanswered`: the last message is the user's. */
  readonly state: "answered" | "interrupted" | "failed" | "working" | "unanswered";
  readonly detail: string;
  readonly entryId: string;
}

/** A document that stands for earlier work: a compaction's summary, or the handoff that the session began with. */
export interface SummaryFact {
  readonly kind: "compaction" | "handoff" | "branch";
  /** Messages that came after it: what it says of the state of the work may be over. */
  readonly messagesSince: number;
  readonly text: string;
  readonly entryId: string;
}

/** All of it. Lists are ordered by use: what the next one needs first stands first. */
export interface Facts {
  /** What somebody called the session. */
  readonly name: string | null;
  /** The session's directory. */
  readonly cwd: string;
  readonly files: readonly FileFact[];
  readonly commands: readonly CommandFact[];
  /** The commands whose last run failed, the latest first. */
  readonly failing: readonly CommandFact[];
  readonly calls: readonly CallFact[];
  readonly errors: readonly ErrorFact[];
  readonly lastError: ErrorFact | null;
  /** Requests to the model that failed, also where the next try went well. */
  readonly modelErrors: readonly IncidentFact[];
  readonly rules: readonly IncidentFact[];
  readonly tasks: readonly TaskFact[];
  readonly commits: readonly CommitFact[];
  /** In the order in which they were made. */
  readonly requests: readonly RequestFact[];
  readonly constraints: readonly QuoteFact[];
  readonly decisions: readonly QuoteFact[];
  /** Commands of the last list that the user agreed to. */
  readonly agreed: readonly AgreedStep[];
  readonly git: GitFact;
  readonly tests: readonly TestFact[];
  readonly summaries: readonly SummaryFact[];
  /** The text that ended the last whole turn, clipped. */
  readonly lastAnswer: QuoteFact | null;
  /** The last text of the assistant, clipped. */
  readonly lastWords: QuoteFact | null;
  /** What the last answer itself says is still to do. */
  readonly announced: readonly QuoteFact[];
  /** What the last answer asked the user, if nobody has answered. */
  readonly question: QuoteFact | null;
  readonly end: EndFact | null;
  /** Without the prompts and answers of earlier handoffs. */
  readonly counts: { readonly entries: number; readonly messages: number };
  /** When the last message came, as the session says it. */
  readonly lastTimestamp: string | null;
}
