// Compiles the one binary. `bun run build` makes dist/agent for this machine; `--target <name>` (repeatable) or `--all`
// cross-compiles and writes dist/SHA256SUMS.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const DIST = join(ROOT, "dist");

/** Windows is experimental: process groups and file modes differ there. */
const TARGETS = [
  "bun-linux-x64",
  "bun-linux-arm64",
  "bun-linux-x64-musl",
  "bun-linux-arm64-musl",
  "bun-darwin-x64",
  "bun-darwin-arm64",
  "bun-windows-x64",
] as const;

function main(args: readonly string[]): number {
  const wanted = args.includes("--all")
    ? [...TARGETS]
    : args.filter((_, index) => args[index - 1] === "--target");
  mkdirSync(DIST, { recursive: true });
  if (wanted.length === 0) return compile(undefined, join(DIST, "agent")) ? 0 : 1;
  const built: string[] = [];
  for (const target of wanted) {
    const name = target.startsWith("bun-") ? target : `bun-${target}`;
    const file = join(DIST, `agent-${name.slice("bun-".length)}${name.includes("windows") ? ".exe" : ""}`);
    if (!compile(name, file)) return 1;
    built.push(file);
  }
  writeChecksums(built);
  return 0;
}

/** No autoloading: the program must never run the current directory's bunfig.toml or read its .env. */
function compile(target: string | undefined, outfile: string): boolean {
  const flags = [
    "--compile",
    "--minify",
    "--bytecode",
    "--format=esm",
    "--splitting",
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    `--outfile=${outfile}`,
    ...(target === undefined ? [] : [`--target=${target}`]),
  ];
  const build = Bun.spawnSync([process.execPath, "build", ...flags, join(ROOT, "src/main.ts")], {
    cwd: ROOT,
    stdout: "pipe",
    stderr: "pipe",
  });
  if (build.exitCode === 0) {
    console.error(`agent: built dist/${basename(outfile)}`);
    return true;
  }
  console.error(build.stdout.toString() + build.stderr.toString());
  return false;
}

function writeChecksums(files: readonly string[]): void {
  const lines = files.map((file) => {
    const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
    return `${digest}  ${basename(file)}\n`;
  });
  writeFileSync(join(DIST, "SHA256SUMS"), lines.join(""));
}

process.exitCode = main(process.argv.slice(2));
