// Whether the user trusts the project that a command runs in.

import { loadSettings } from "../settings/load.ts";
import type { CommandContext } from "./command.ts";

/** Asked only where it matters, because it reads the settings. */
export function projectTrust(context: CommandContext): () => boolean {
  const { cwd, home, env, flags } = context;
  let trusted: boolean | undefined;
  return () => {
    const configPath = flags.text("config");
    trusted ??= loadSettings({ cwd, home, env, configPath, trust: flags.has("trust") }).trusted;
    return trusted;
  };
}

/** What is said of a file or folder that was left out. */
export function ignoredLink(path: string): string {
  return `${path} ignored: it is a symbolic link out of the project, which is not trusted`;
}
