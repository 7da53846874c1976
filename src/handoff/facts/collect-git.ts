// Branch and commits, from what git itself printed in the session.

import type { Redact } from "../redact.ts";
import { clip } from "./clip.ts";
import type { CommitFact, GitFact } from "./facts.ts";

/** `[main 1a2b3c4] subject`, as `git commit` prints it; `(root-commit)` may stand before the hash. */
const COMMITTED = /^\[([^\]\s]+(?: [^\]\s]+)*?) (?:\(root-commit\) )?([0-9a-f]{7,40})\] (.+)$/gm;
const ON_BRANCH = /^(?:On branch|Switched to (?:a new )?branch|## ) ?['"]?([^\s'".]+(?:\.[^\s'".]+)*)['"]?/gm;
const DETACHED = /^HEAD (?:detached at|is now at) ([0-9a-f]{7,40})/m;

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
  let git: GitFact = { branch: null, commit: null, entryId: null };
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
        git = {
          branch: branch.startsWith("detached") ? git.branch : branch,
          commit: clip(hash, 40),
          entryId,
        };
      }
      const branch = [...text.matchAll(ON_BRANCH)].at(-1)?.[1] ?? shownBranch(command, text);
      if (branch !== undefined) git = { ...git, branch: clip(branch, 100), entryId };
      const detached = DETACHED.exec(text)?.[1];
      if (detached !== undefined) git = { ...git, commit: clip(detached, 40), entryId };
      const head = headHash(command, text);
      if (head !== undefined) git = { ...git, commit: clip(head, 40), entryId };
    },
    told(branch, commit, entryId) {
      git = { branch: branch ?? git.branch, commit: commit?.slice(0, 12) ?? git.commit, entryId };
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

/** `git rev-parse HEAD` prints one hash; `git log` prints the newest first. */
function headHash(command: string, output: string): string | undefined {
  if (/git rev-parse (?:--short )?HEAD\b/.test(command)) return /^[0-9a-f]{7,40}$/m.exec(output)?.[0];
  if (
    !/git log\b/.test(command) ||
    /git log[^|&;]*(?:--all|--grep|--author|-S|-- |\.\.|origin\/)/.test(command)
  )
    return undefined;
  return /^(?:commit )?([0-9a-f]{7,40})\b/.exec(output)?.[1];
}
