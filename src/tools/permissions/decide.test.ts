import { expect, test } from "bun:test";
import { decide } from "./decide.ts";
import type { Denial, Permissions } from "./permissions.ts";

const NONE: Permissions = {
  read: [],
  write: [],
  run: [],
  env: [],
  net: false,
  denyRead: [],
  denyWrite: [],
  denyRun: [],
  own: ["/home/u/.local/share/agent", "/home/u/.config/agent"],
  runFiles: ["/p/s.jsonl", "/p/s.jsonl.lock"],
  foldCase: false,
};
/** The default of a run in /p. */
const DEFAULT: Permissions = { ...NONE, read: ["/p"] };
const WRITE: Permissions = { ...DEFAULT, write: ["/p"] };
const ALL: Permissions = { ...NONE, read: ["/"], write: ["/"], run: "all", env: "all", net: true };

const OUTSIDE_READ = "it is outside what may be read";
const OUTSIDE_WRITE = "it is outside what may be written";

/** Permissions, access, path, and the beginning of the reason; `undefined` means allowed. */
type PathRow = readonly [Permissions, "read" | "write", string, string | undefined];

const inside: readonly PathRow[] = [
  [NONE, "read", "/p/a.ts", OUTSIDE_READ],
  [NONE, "write", "/p/a.ts", OUTSIDE_WRITE],
  [DEFAULT, "read", "/p", undefined],
  [DEFAULT, "read", "/p/", undefined],
  [DEFAULT, "read", "/p/a.ts", undefined],
  [DEFAULT, "read", "/p/deep/er/a.ts", undefined],
  [DEFAULT, "read", "/p/...", undefined],
  [DEFAULT, "read", "/p/ a b/ü.ts", undefined],
  [DEFAULT, "read", "/pp/a.ts", OUTSIDE_READ],
  [DEFAULT, "read", "/p.ts", OUTSIDE_READ],
  [DEFAULT, "read", "/", OUTSIDE_READ],
  [DEFAULT, "read", "/P/a.ts", OUTSIDE_READ],
  [{ ...DEFAULT, foldCase: true }, "read", "/P/A.ts", undefined],
  [DEFAULT, "read", "/etc/passwd", OUTSIDE_READ],
  [DEFAULT, "read", "pipe:[4711]", "it is not a file"],
  [DEFAULT, "read", "socket:[4711]", "it is not a file"],
  [ALL, "read", "anon_inode:[eventpoll]", "it is not a file"],
  [ALL, "read", "", "it is not a file"],
  [ALL, "read", "relative/a.ts", "it is not a file"],
  [DEFAULT, "write", "/p/a.ts", OUTSIDE_WRITE],
  [WRITE, "write", "/p/a.ts", undefined],
  [WRITE, "write", "/p/deep/er/a.ts", undefined],
  [WRITE, "write", "/q/a.ts", OUTSIDE_WRITE],
  [WRITE, "read", "/q/a.ts", OUTSIDE_READ],
  [{ ...DEFAULT, write: ["/p/out"] }, "write", "/p/out/a", undefined],
  [{ ...DEFAULT, write: ["/p/out"] }, "write", "/p/out", undefined],
  [{ ...DEFAULT, write: ["/p/out"] }, "write", "/p/outer", OUTSIDE_WRITE],
  [{ ...DEFAULT, write: ["/p/out"] }, "write", "/p/a", OUTSIDE_WRITE],
  [{ ...NONE, read: ["/p/src", "/q"] }, "read", "/q/a", undefined],
  [{ ...NONE, read: ["/p/src", "/q"] }, "read", "/p/src/a", undefined],
  [{ ...NONE, read: ["/p/src", "/q"] }, "read", "/p/a", OUTSIDE_READ],
  [{ ...NONE, write: ["/p"] }, "read", "/p/a", OUTSIDE_READ],
  [ALL, "read", "/etc/passwd", undefined],
  [ALL, "write", "/etc/passwd", undefined],
];

const denied: readonly PathRow[] = [
  [{ ...DEFAULT, denyRead: ["/p/secret"] }, "read", "/p/secret", "--deny-read covers it"],
  [{ ...DEFAULT, denyRead: ["/p/secret"] }, "read", "/p/secret/a", "--deny-read covers it"],
  [{ ...DEFAULT, denyRead: ["/p/secret"] }, "read", "/p/secrets", undefined],
  [{ ...DEFAULT, denyRead: ["/p/secret"] }, "read", "/p/a", undefined],
  [{ ...DEFAULT, denyRead: ["/"] }, "read", "/p/a", "--deny-read covers it"],
  [{ ...ALL, denyRead: ["/etc"] }, "read", "/etc/passwd", "--deny-read covers it"],
  [{ ...ALL, denyRead: ["/etc"] }, "write", "/etc/passwd", undefined],
  [{ ...ALL, denyWrite: ["/etc"] }, "write", "/etc/passwd", "--deny-write covers it"],
  [{ ...ALL, denyWrite: ["/etc"] }, "read", "/etc/passwd", undefined],
  [{ ...WRITE, denyWrite: ["/p"] }, "write", "/p/a", "--deny-write covers it"],
  [
    { ...WRITE, write: ["/p/src/gen"], denyWrite: ["/p/src"] },
    "write",
    "/p/src/gen/a",
    "--deny-write covers it",
  ],
  [{ ...WRITE, denyWrite: ["/"] }, "write", "/p/a", "--deny-write covers it"],
  [
    { ...DEFAULT, read: ["/p", "/p/.env"], denyRead: ["/p/.env"] },
    "read",
    "/p/.env",
    "--deny-read covers it",
  ],
  [{ ...DEFAULT, denyRead: ["/p/Secret"], foldCase: true }, "read", "/p/sEcret/a", "--deny-read covers it"],
  [{ ...DEFAULT, denyRead: ["/p/Secret"] }, "read", "/p/secret/a", undefined],
];

const OWN_FILE =
  "a file of this run itself (its session, lock, result, recording, settings, or a program of its tools and hooks)";

const ofTheRun: readonly PathRow[] = [
  [WRITE, "write", "/p/s.jsonl", OWN_FILE],
  [WRITE, "write", "/p/s.jsonl.lock", OWN_FILE],
  [WRITE, "write", "/p/S.JSONL", OWN_FILE],
  [ALL, "write", "/p/s.jsonl", OWN_FILE],
  [WRITE, "write", "/p/s.jsonl.bak", undefined],
  [DEFAULT, "read", "/p/s.jsonl", undefined],
  [{ ...WRITE, write: ["/p", "/p/s.jsonl"] }, "write", "/p/s.jsonl", undefined],
  [{ ...WRITE, write: ["/p", "/p/s.jsonl"] }, "write", "/p/s.jsonl.lock", OWN_FILE],
];

const sensitive: readonly PathRow[] = [
  [DEFAULT, "read", "/p/.env", "environment file"],
  [DEFAULT, "read", "/p/.env.local", "environment file"],
  [DEFAULT, "read", "/p/.envrc", "environment file"],
  [DEFAULT, "read", "/p/sub/.env.production", "environment file"],
  [DEFAULT, "read", "/p/.ENV", "environment file"],
  [DEFAULT, "read", "/p/env", undefined],
  [DEFAULT, "read", "/p/src/env.ts", undefined],
  [DEFAULT, "read", "/p/server.pem", "private key or certificate"],
  [DEFAULT, "read", "/p/Server.PEM", "private key or certificate"],
  [DEFAULT, "read", "/p/tls.key", "private key or certificate"],
  [DEFAULT, "read", "/p/pem", undefined],
  [DEFAULT, "read", "/p/id_rsa", "private key"],
  [DEFAULT, "read", "/p/id_ed25519", "private key"],
  [DEFAULT, "read", "/p/id_rsa.old", "private key"],
  [DEFAULT, "read", "/p/id_work", "private key"],
  [DEFAULT, "read", "/p/src/id_map.ts", undefined],
  [DEFAULT, "read", "/p/.ssh/config", "SSH keys and settings"],
  [DEFAULT, "read", "/p/.SSH/known_hosts", "SSH keys and settings"],
  [DEFAULT, "read", "/p/.aws/credentials", "cloud credentials"],
  [DEFAULT, "read", "/p/.kube/config", "cluster credentials"],
  [DEFAULT, "read", "/p/.gnupg/x", "GnuPG keys"],
  [DEFAULT, "read", "/p/.docker/config.json", "registry credentials"],
  [DEFAULT, "read", "/p/.npmrc", "registry credentials"],
  [DEFAULT, "read", "/p/.pypirc", "registry credentials"],
  [DEFAULT, "read", "/p/.netrc", "credentials"],
  [DEFAULT, "read", "/p/.git-credentials", "credentials"],
  [DEFAULT, "read", "/p/credentials.json", "credentials"],
  [DEFAULT, "read", "/p/src/credentials.ts", undefined],
  [DEFAULT, "read", "/p/src/credentials", "credentials"],
  [DEFAULT, "read", "/p/src/credentials/", undefined],
  [DEFAULT, "read", "/p/src/credentials/load.ts", undefined],
  [DEFAULT, "read", "/p/src/id_token/", undefined],
  [DEFAULT, "read", "/p/.ssh/", "SSH keys and settings"],
  [DEFAULT, "read", "/p/service-account-prod.json", "credentials"],
  [DEFAULT, "read", "/p/infra/terraform.tfstate", "Terraform state"],
  [DEFAULT, "read", "/p/.config/gh/hosts.yml", "credentials"],
  [DEFAULT, "read", "/p/.git/config", "git settings"],
  [DEFAULT, "read", "/p/.git/modules/x/config", "git settings"],
  [DEFAULT, "read", "/p/.git/HEAD", undefined],
  [DEFAULT, "read", "/p/.gitignore", undefined],
  [DEFAULT, "read", "/p/git/config", undefined],
  [DEFAULT, "read", "/p/.agent/config.jsonc", "settings of agent"],
  [DEFAULT, "read", "/p/.agent/rules/a.md", undefined],
  [WRITE, "write", "/p/.git/hooks/pre-commit", "git's own data"],
  [WRITE, "write", "/p/sub/.git/HEAD", "git's own data"],
  [WRITE, "write", "/p/.agent/rules/a.md", "rules, prompts and settings of agent"],
  [WRITE, "write", "/p/.agent/config.jsonc", "settings of agent"],
  [WRITE, "write", "/p/.gitignore", undefined],
  [WRITE, "write", "/p/.hg/hgrc", "a version control system's own data"],
  [WRITE, "write", "/p/.jj/repo/config.toml", "a version control system's own data"],
  [WRITE, "write", "/p/.hgignore", undefined],
  [DEFAULT, "read", "/p/.hg/dirstate", undefined],
  [WRITE, "write", "/p/.github/workflows/ci.yml", undefined],
  [WRITE, "write", "/p/.env", "environment file"],
  [ALL, "read", "/home/u/.local/share/agent/sessions/x.jsonl", "agent's own store"],
  [ALL, "write", "/home/u/.config/agent/config.jsonc", "agent's own store"],
  [ALL, "read", "/home/u/.local/share/agents", undefined],
  [ALL, "read", "/home/u/.Config/Agent/config.jsonc", "agent's own store"],
  [ALL, "read", "/home/u/.ssh/id_rsa", "SSH keys and settings"],
  [ALL, "read", "/proc/self/environ", "system file below /proc"],
  [ALL, "read", "/proc", "system file below /proc"],
  [ALL, "read", "/process", undefined],
  [ALL, "write", "/sys/power/state", "system file below /sys"],
  [ALL, "read", "/dev/sda", "system file below /dev"],
  [ALL, "read", "/etc/shadow", "system file below /etc/shadow"],
  [ALL, "read", "/run/secrets/token", "system file below /run/secrets"],
];

const named: readonly PathRow[] = [
  [{ ...DEFAULT, read: ["/p", "/p/.env"] }, "read", "/p/.env", undefined],
  [{ ...DEFAULT, read: ["/p", "/p/.env"] }, "read", "/p/.env.local", "environment file"],
  [{ ...DEFAULT, read: ["/p", "/p/.env"] }, "read", "/p/sub/.env", "environment file"],
  [{ ...WRITE, read: ["/p", "/p/.env"] }, "write", "/p/.env", "environment file"],
  [{ ...ALL, read: ["/", "/home/u/.ssh"] }, "read", "/home/u/.ssh/id_rsa", undefined],
  [{ ...ALL, read: ["/", "/home/u/.ssh/config"] }, "read", "/home/u/.ssh/id_rsa", "SSH keys and settings"],
  [{ ...ALL, read: ["/", "/home/u"] }, "read", "/home/u/.ssh/id_rsa", "SSH keys and settings"],
  [{ ...ALL, read: ["/", "/proc/cpuinfo"] }, "read", "/proc/cpuinfo", undefined],
  [{ ...ALL, read: ["/", "/proc/cpuinfo"] }, "read", "/proc/self/environ", "system file below /proc"],
  [{ ...WRITE, write: ["/p", "/p/.git"] }, "write", "/p/.git/hooks/x", undefined],
  [{ ...WRITE, write: ["/p", "/p/.git"] }, "write", "/p/.git/config", undefined],
  [{ ...WRITE, write: ["/p", "/p/.agent/rules"] }, "write", "/p/.agent/rules/a.md", undefined],
  [{ ...WRITE, write: ["/p", "/p/.agent/rules"] }, "write", "/p/.agent/config.jsonc", "settings of agent"],
  [{ ...ALL, read: ["/", "/home/u/.local/share/agent"] }, "read", "/home/u/.local/share/agent/x", undefined],
];

for (const [group, rows] of Object.entries({ inside, denied, ofTheRun, sensitive, named })) {
  test(`decide() judges paths by the table: ${group}`, () => {
    const judged = rows.map(([permissions, permission, path, expected]) => {
      const reason = decide(permissions, { permission, path })?.reason;
      const same = expected === undefined ? reason === undefined : reason?.startsWith(expected);
      return same ? "as expected" : `${permission} ${path}: ${reason ?? "allowed"}`;
    });
    expect(judged.filter((verdict) => verdict !== "as expected")).toEqual([]);
  });
}

test("decide() has a table of at least 100 rows", () => {
  expect(inside.length + denied.length + sensitive.length + named.length).toBeGreaterThanOrEqual(100);
});

test("decide() says what was wanted and how to grant it", () => {
  expect(decide(DEFAULT, { permission: "write", path: "/p/a" })).toEqual({
    permission: "write",
    target: "/p/a",
    reason: OUTSIDE_WRITE,
    hint: "--allow-write=/p/a",
  } satisfies Denial);
});

const commands: readonly (readonly [Partial<Permissions>, string, string | undefined])[] = [
  [{ run: [] }, "git status", "no program may run"],
  [{ run: "all" }, "git status; rm -rf x $(id)", undefined],
  [{ run: "all", denyRun: "all" }, "git status", "--deny-run covers every program"],
  [{ run: ["git"] }, "git status", undefined],
  [{ run: ["git"] }, "rm x", "it is not one of the allowed programs (git)"],
  [{ run: ["git"], denyRun: ["git"] }, "git status", "--deny-run covers it"],
  [{ run: "all", denyRun: ["git"] }, "git push", "--deny-run covers it"],
  [{ run: "all", denyRun: ["git"] }, "/usr/bin/git push", "--deny-run covers it"],
  [{ run: "all", denyRun: ["git"] }, "bash -c 'git push'", "bash runs whatever it is given"],
  [{ run: "all", denyRun: ["git"] }, "ls -l", undefined],
  [{ run: "all", denyRun: ["git"] }, "env git push", "env starts other programs"],
  [{ run: ["env", "git"] }, "env git push", "env starts other programs"],
  [{ run: ["bash"] }, "bash ./build.sh", undefined],
  [{ run: ["./tool"] }, "./tool x", undefined],
  [{ run: ["tool"] }, "./tool x", "tool is allowed by name, which means the one in PATH"],
];

test("decide() judges commands by the table", () => {
  const judged = commands.map(([permissions, command, expected]) => {
    const reason = decide({ ...NONE, ...permissions }, { permission: "run", command })?.reason;
    const same = expected === undefined ? reason === undefined : reason?.startsWith(expected);
    return same ? "as expected" : `${command}: ${reason ?? "allowed"}`;
  });
  expect(judged.filter((verdict) => verdict !== "as expected")).toEqual([]);
});
