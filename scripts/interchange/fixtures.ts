// Every session of fixtures/sessions, converted where it is another agent's, and the session that a handoff starts
// (dist/agent must be built) must mean the same to pi's reader as to ours:
// the same id, and the same messages in the context, to the last byte of their JSON.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileChunks } from "../../src/base/lines.ts";
import { buildSessionContext } from "../../src/session/context.ts";
import { convertedLines } from "../../src/session/formats/converted-lines.ts";
import { recogniseFormat } from "../../src/session/formats/recognise.ts";
import { openSession } from "../../src/session/open.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures/sessions");
const BINARY = join(import.meta.dir, "../../dist/agent");

/** Writes the fixture as lines of version 3; undefined for a file that is no session. */
async function asOurs(name: string, directory: string): Promise<string | undefined> {
  const source = join(FIXTURES, name);
  if (recogniseFormat(await Bun.file(source).bytes()).kind === "unknown") return undefined;
  const options = { subagents: "keep" } as const;
  const lines: Uint8Array[] = [];
  for await (const item of convertedLines({ chunks: fileChunks(source), name, options })) {
    if (item.kind === "line") lines.push(item.bytes, Buffer.from("\n"));
  }
  const path = join(directory, `${name}.v3.jsonl`);
  writeFileSync(path, Buffer.concat(lines));
  return path;
}

/** The session that a handoff starts, as the program prints it. */
function handedOff(name: string, directory: string): string {
  const args = ["handoff", join(FIXTURES, name), "--engine", "offline", "--output", "session"];
  const env = { PATH: process.env.PATH ?? "", HOME: directory, AGENT_HOME: join(directory, "home") };
  const run = Bun.spawnSync([BINARY, ...args], { cwd: directory, env });
  if (run.exitCode !== 0) throw new Error(`handoff of ${name}: ${run.stderr.toString()}`);
  const path = join(directory, `${name}.handoff.jsonl`);
  writeFileSync(path, run.stdout);
  return path;
}

async function readWithOurs(path: string): Promise<string> {
  const session = await openSession(path);
  return canonical({ id: session.header.id, messages: buildSessionContext(session).messages });
}

function readWithPi(paths: readonly string[]): readonly string[] {
  const script = join(import.meta.dir, "pi-read.mjs");
  const run = Bun.spawnSync([process.execPath, script, ...paths], {
    cwd: import.meta.dir,
    stderr: "inherit",
  });
  const lines = run.stdout.toString().split("\n");
  return paths.map((_, index) => (lines[index] ? canonical(JSON.parse(lines[index])) : "pi read nothing"));
}

/** JSON with sorted keys: two values are the same if their texts are. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function firstDifference(ours: string, theirs: string): string {
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at += 1;
  const from = Math.max(0, at - 40);
  return `ours …${ours.slice(from, at + 80)}\n  pi   …${theirs.slice(from, at + 80)}`;
}

const directory = mkdtempSync(join(tmpdir(), "interchange-"));
let [passed, failed] = [0, 0];
try {
  const names = readdirSync(FIXTURES).toSorted();
  const made = await Promise.all(names.map(async (name) => ({ name, path: await asOurs(name, directory) })));
  const sessions = made.flatMap(({ name, path }) => (path === undefined ? [] : [{ name, path }]));
  for (const name of ["auth-refactor.jsonl", "claude-basic.jsonl"]) {
    sessions.push({ name: `the handoff of ${name}`, path: handedOff(name, directory) });
  }
  const theirs = readWithPi(sessions.map(({ path }) => path));
  for (const [index, { name, path }] of sessions.entries()) {
    const ours = await readWithOurs(path);
    const pi = theirs[index] ?? "";
    if (ours === pi) passed += 1;
    else failed += 1;
    console.log(ours === pi ? `(pass) ${name}` : `(fail) ${name}\n  ${firstDifference(ours, pi)}`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
