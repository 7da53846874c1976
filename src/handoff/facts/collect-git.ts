// Branch and commits, from what git itself printed in the session.

import type { Redact } from "../redact.ts";
import { clip } from "./clip.ts";
import type { CommitFact, GitFact } from "./facts.ts";

/** `[main 1a2b3c4] subject`, as `git commit` prints it; `(root-commit)` may stand before the hash. */
const COMMITTED = /^\[([^\]\s]+(?: [^\]\s]+)*?) (?:\(root-commit\) )?([0-9a-f]{7,40})\] (.+)$/gm;
const ON_BRANCH = /^(?:On branch|Switched to (?:a new )?branch|## ) ?['"]?([^\s'".]+(?:\.[^\s'".]+)*)['"]?/gm;
/** Others print what stands in files, where a line may look the same. */
const TELLS_BRANCH =
  /\bgit\b[^|;&\n]*\b(?:status|checkout|switch|commit|branch|pull|merge|rebase|stash|worktree|cherry-pick|revert|am)\b/;
const AT_COMMIT = /^HEAD (?:detached at|is now at) ([0-9a-f]{7,40})/m;
const DETACHED = /^HEAD detached at |detached HEAD/m;

export interface GitCollector {
  /** A git command that succeeded, and what it printed. */
  ran(command: string, output: string, entryId: string): void;
  /** What the agent itself noted. */
  told(branch: string | undefined, commit: string | undefined, entryId: string): void;
  commits(): readonly CommitFact[];
  git(): GitFact;
}

export function createGitCollector(redact: Redact): GitCollector {
  const commits = new Map<string, CommitFact>();
  let git: GitFact = { branch: null, branchEntryId: null, commit: null, entryId: null };
  const onBranch = (branch: string | null, entryId: string, commit = git.commit) => {
    git = { branch, branchEntryId: entryId, commit, entryId: commit === null ? entryId : git.entryId };
  };
  const atCommit = (commit: string, entryId: string) => {
    git = { ...git, commit: clip(commit, 40), entryId };
  };
  return {
    ran(command, output, entryId) {
      if (!/\bgit\b|\bgh\b|\bjj\b/.test(command)) return;
      const text = output.slice(0, 200_000);
      for (const [, at = "", hash = "", subject = ""] of text.matchAll(COMMITTED)) {
        const branch = clip(at, 100);
        commits.set(clip(hash, 40), {
          hash: clip(hash, 40),
          subject: clip(redact(subject), 120),
          branch,
          entryId,
        });
        onBranch(branch.startsWith("detached") ? git.branch : branch, entryId);
        atCommit(hash, entryId);
      }
      const told = TELLS_BRANCH.test(command) ? [...text.matchAll(ON_BRANCH)].at(-1)?.[1] : undefined;
      const branch = told ?? shownBranch(command, text);
      if (branch !== undefined) {
        // Another branch has another commit, unless it was made just now.
        const moved = git.branch !== null && git.branch !== branch && /^Switched to branch/m.test(text);
        onBranch(clip(branch, 100), entryId, moved ? null : git.commit);
      } else if (TELLS_BRANCH.test(command) && DETACHED.test(text)) onBranch(null, entryId);
      const head = AT_COMMIT.exec(text)?.[1] ?? headHash(command, text);
      if (head !== undefined) atCommit(head, entryId);
    },
    told(branch, commit, entryId) {
      if (branch !== undefined) onBranch(branch, entryId);
      if (commit !== undefined) atCommit(commit.slice(0, 12), entryId);
    },
    commits: () => [...commits.values()].reverse(),
    git: () => git,
  };
}

function shownBranch(command: string, output: string): string | undefined {
  if (/git (?:branch --show-current|rev-parse --abbrev-ref HEAD)\s*$/.test(command)) {
    const name = output.trim();
    return /^[\w./-]{1,100}$/.test(name) ? name : undefined;
  }
  if (/git branch\b/.test(command)) return /^\* ([^\s(]+)/m.exec(output)?.[1];
  return /git (?:checkout|switch) (?:-[bcB] )?([\w./-]+)\s*$/.exec(command)?.[1] !== undefined
    ? /(?:branch) '([^']+)'/.exec(output)?.[1]
    : undefined;
}

/** `git rev-parse HEAD` prints one hash; `git log` prints the newest first, if it is asked for nothing in particular. */
function headHash(command: string, output: string): string | undefined {
  if (/git rev-parse (?:--short(?:=\d+)? )?HEAD(?![\w~^@/])/.test(command))
    return /^[0-9a-f]{7,40}$/m.exec(output)?.[0];
  const options = LOG.exec(command)?.[1];
  if (options === undefined || PARTIAL_LOG.test(options)) return undefined;
  return /^(?:commit )?([0-9a-f]{7,40})\b/.exec(output)?.[1];
}

/** `git log` with options alone. */
const LOG = /git log((?:\s+(?:-(?:[^\s'"|;&]|"[^"]*"|'[^']*')*|\d+(?![\d>])))*)\s*(?:$|[|;&>\n]|2>)/;
const PARTIAL_LOG =
  /--(?:all|grep|author|committer|since|after|until|before|skip|reverse|branches|remotes|tags|graph)|-[SGL]| -- /;
