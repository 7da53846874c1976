// Which paths hold secrets, or decide what runs next: denied unless a grant names them. Judged by the path alone.

import type { PathGrant, Permissions } from "./permissions.ts";

/** What a path is, in words for the denial; `undefined` if it is nothing special. */
export function sensitivityOf(
  path: string,
  access: "read" | "write",
  { own, runFiles }: Pick<Permissions, "own" | "runFiles">,
): string | undefined {
  const lower = path.toLowerCase();
  const isIn = (roots: PathGrant) => roots.some((root) => `${lower}/`.startsWith(`${root.toLowerCase()}/`));
  if (isIn(own)) return "agent's own store or settings";
  if (access === "write" && isIn(runFiles))
    return "a file of this run itself (its session, lock, result, recording, settings, or a program of its tools and hooks)";
  const system = SYSTEM.find((prefix) => lower === prefix || lower.startsWith(`${prefix}/`));
  if (system !== undefined) return `system file below ${system}`;
  const parts = lower.split("/");
  const name = parts.at(-1) ?? "";
  for (const part of parts.slice(1)) {
    const what = SECRET_DIRECTORIES.get(part);
    if (what !== undefined) return what;
  }
  const tail = SECRET_TAILS.find(([pattern]) => pattern.test(lower));
  if (tail !== undefined) return tail[1];
  const file = SECRET_FILES.find(([pattern]) => pattern.test(name));
  if (file !== undefined) return file[1];
  if (access === "read") return undefined;
  if (parts.includes(".git")) return "git's own data, which decides what git runs";
  if (parts.some((part) => VERSION_CONTROL.has(part)))
    return "a version control system's own data, which decides what it runs";
  return parts.includes(".agent") ? "rules, prompts and settings of agent" : undefined;
}

/** As `.git`: their settings name hooks, aliases and tools. */
const VERSION_CONTROL: ReadonlySet<string> = new Set([".hg", ".jj", ".svn", ".bzr"]);

/** Whatever they hold, reading them is not reading a file of the project. */
const SYSTEM: readonly string[] = [
  "/proc",
  "/sys",
  "/dev",
  "/run/secrets",
  "/var/run/secrets",
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssl/private",
];

/** Where users keep secrets, below the home directory; each is sensitive by the tables here. */
export const HOME_SECRETS: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".password-store",
  ".netrc",
  ".git-credentials",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".config/gh",
  ".config/gcloud",
  ".config/rclone",
  ".cargo/credentials.toml",
];

const SECRET_DIRECTORIES: ReadonlyMap<string, string> = new Map([
  [".ssh", "SSH keys and settings"],
  [".gnupg", "GnuPG keys"],
  [".aws", "cloud credentials"],
  [".azure", "cloud credentials"],
  [".gcloud", "cloud credentials"],
  [".kube", "cluster credentials"],
  [".docker", "registry credentials"],
  [".password-store", "passwords"],
  ["keychains", "passwords"],
]);

/** Told by where they stand. */
const SECRET_TAILS: readonly (readonly [RegExp, string])[] = [
  [/\/\.git\/(.*\/)?config(\.worktree)?$/, "git settings, which may hold credentials"],
  [/\/\.config\/(gh|gcloud|hub|op|rclone)(\/|$)/, "credentials"],
  [/\/\.agent\/config\.jsonc$/, "settings of agent"],
  [/\/\.cargo\/credentials(\.toml)?$/, "registry credentials"],
  [/\/\.gem\/credentials$/, "registry credentials"],
  [/\/\.m2\/settings(-security)?\.xml$/, "registry credentials"],
  [/\/\.gradle\/gradle\.properties$/, "registry credentials"],
];

/** Told by their name, whatever its case. */
const SECRET_FILES: readonly (readonly [RegExp, string])[] = [
  [/^\.env/, "environment file"],
  [/^id_[^.]*$|^id_(rsa|dsa|ecdsa|ed25519)/, "private key"],
  [/\.(pem|key|ppk|p12|pfx|jks|keystore|kdbx)$/, "private key or certificate"],
  [/^ssh_host_.*_key$/, "private key"],
  [/^[._]netrc$|^\.git-credentials$|^\.pgpass$|^\.my\.cnf$|^\.htpasswd$/, "credentials"],
  [/^\.npmrc$|^\.yarnrc(\.yml)?$|^\.pypirc$|^\.dockercfg$|^\.terraformrc$/, "registry credentials"],
  [/^credentials(\.(json|toml|ya?ml|ini|csv))?$/, "credentials"],
  [/^(client_secret|service[-_]?account).*\.json$/, "credentials"],
  [/^\.(boto|s3cfg|vault-token|rclone\.conf)$/, "credentials"],
  [/\.tfstate(\.backup)?$/, "Terraform state, which holds secrets"],
];
