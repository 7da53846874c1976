// `agent rules …` through the binary in a directory of its own: what its end-to-end tests share.

import { join } from "node:path";
import { type AgentResult, type RunningAgent, runAgent, startAgent } from "./spawn.ts";
import { type TempDir, tempDir } from "./temp.ts";

export interface RulesPlace extends Disposable {
  /** The working directory; rules go below `.agent/rules`. */
  readonly dir: TempDir;
  /** Runs `agent rules` with these words. Without `stdin` it is `/dev/null`. */
  rules(args: readonly string[], stdin?: string | Uint8Array): Promise<AgentResult>;
  /** Starts it with this on a stdin that stays open. */
  start(args: readonly string[], text: string): RunningAgent;
}

/** A project with these rules, by name: front matter and body. */
export function rulesPlace(rules: Readonly<Record<string, string>> = {}): RulesPlace {
  const dir = tempDir();
  const home = tempDir();
  for (const [name, text] of Object.entries(rules)) dir.write(join(".agent/rules", `${name}.md`), text);
  const options = { cwd: dir.path, home: home.path };
  return {
    dir,
    rules: (args, stdin) =>
      runAgent(["rules", ...args], { ...options, ...(stdin === undefined ? {} : { stdin }) }),
    start: (args, open) => startAgent(["rules", ...args], { ...options, stdin: { open } }),
    [Symbol.dispose]() {
      dir[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}

/** The text of a rule. */
export function ruleText(frontMatter: string, body = "Write it another way."): string {
  return `---\n${frontMatter}\n---\n\n${body}\n`;
}
