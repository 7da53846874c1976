import { expect, test } from "bun:test";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_SETTINGS, type PermissionSettings } from "../settings/settings.ts";
import { tempDir } from "../testing/temp.ts";
import { parseFlags } from "./flags.ts";
import { PERMISSION_FLAGS, permissionsOf, toolNamesOf } from "./permission-flags.ts";

const NONE = DEFAULT_SETTINGS.permissions;

async function permissions(argv: readonly string[], settings: Partial<PermissionSettings> = {}) {
  using dir = tempDir();
  const root = realpathSync(dir.path);
  mkdirSync(join(root, "p/src"), { recursive: true });
  symlinkSync("src", join(root, "p/link"));
  const { flags } = await parseFlags(argv, PERMISSION_FLAGS);
  const place = { flags, cwd: join(root, "p"), home: join(root, "h"), env: {} };
  const built = permissionsOf(place, { ...NONE, ...settings });
  return JSON.parse(JSON.stringify(built).replaceAll(root, "/T"));
}

const DEFAULT = {
  read: ["/T/p"],
  write: [],
  run: [],
  env: [],
  net: false,
  denyRead: [],
  denyWrite: [],
  denyRun: [],
  own: ["/T/h/.local/share/agent", "/T/h/.config/agent"],
  runFiles: [],
  foldCase: process.platform !== "linux",
};

const ROWS: readonly (readonly [string, Partial<PermissionSettings>, object])[] = [
  ["", {}, {}],
  ["--allow-write", {}, { write: ["/T/p"] }],
  ["--allow-write=src,../q", {}, { write: ["/T/p/src", "/T/q"] }],
  ["--allow-write=src --allow-write=~/x", {}, { write: ["/T/p/src", "/T/h/x"] }],
  ["--allow-write=link/new/file", {}, { write: ["/T/p/src/new/file"] }],
  ["--allow-read=/etc", {}, { read: ["/etc"] }],
  ["--allow-run", {}, { run: "all" }],
  ["--allow-run=git,bun", {}, { run: ["git", "bun"] }],
  ["--allow-env", {}, { env: "all" }],
  ["--allow-env=CI", {}, { env: ["CI"] }],
  ["--allow-net", {}, { net: true }],
  ["-A", {}, { read: ["/", "/T/p"], write: ["/"], run: "all", env: "all", net: true }],
  ["-A --allow-read=.env", {}, { read: ["/", "/T/p/.env"], write: ["/"], run: "all", env: "all", net: true }],
  ["-A --allow-run=git", {}, { read: ["/", "/T/p"], write: ["/"], run: ["git"], env: "all", net: true }],
  [
    "--deny-read=src --deny-write --deny-run=rm",
    {},
    { denyRead: ["/T/p/src"], denyWrite: ["/"], denyRun: ["rm"] },
  ],
  ["--deny-run", {}, { denyRun: "all" }],
  ["", { read: false }, { read: [] }],
  [
    "",
    { write: true, run: ["git"], env: ["CI"], net: true },
    { write: ["/T/p"], run: ["git"], env: ["CI"], net: true },
  ],
  ["", { net: ["example.com"] }, {}],
  ["--allow-write=src --allow-run=bun", { write: true, run: true }, { write: ["/T/p/src"], run: ["bun"] }],
  [
    "--deny-run=rm",
    { deny: { read: undefined, write: true, run: ["git"] } },
    { denyWrite: ["/"], denyRun: ["rm", "git"] },
  ],
];

for (const [argv, settings, expected] of ROWS) {
  test(`permissionsOf() makes of "${argv}" and ${JSON.stringify(settings)} what it should`, async () => {
    expect(
      await permissions(
        argv.split(" ").filter((word) => word !== ""),
        settings,
      ),
    ).toEqual({ ...DEFAULT, ...expected });
  });
}

test("permissionsOf() refuses an empty value, which an unset variable makes", async () => {
  expect(await permissions(["--allow-write="]).catch((error: unknown) => error)).toMatchObject({
    kind: "usage",
    message: "--allow-write= has an empty value",
  });
});

test("toolNamesOf() splits the names", async () => {
  const names = async (argv: readonly string[]) =>
    toolNamesOf({ flags: (await parseFlags(argv, PERMISSION_FLAGS)).flags });
  expect([await names([]), await names(["--tools", "read, grep", "--tools", "ls"])]).toEqual([
    undefined,
    ["read", "grep", "ls"],
  ]);
});
