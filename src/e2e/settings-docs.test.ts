// docs/settings.md is true: its examples are valid, and the first says every key with the value that it has anyway.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runAgent } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../docs/settings.md"), "utf8");
const EXAMPLES = [...PAGE.matchAll(/^```jsonc.*\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
const [DEFAULTS = "", PROGRAMS = ""] = EXAMPLES;

/** What `agent config` prints with this as the user's settings, without where values came from; nothing may be wrong. */
async function configOf(text: string): Promise<readonly string[]> {
  using dir = tempDir();
  dir.write("agent/config.jsonc", text);
  const { code, stdout, stderr } = await runAgent(["config"], { cwd: dir.path, home: dir.path });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").map((line) => line.replace(/ {2,}.*$/, ""));
}

const isUnset = (line: string) => line.includes(" = (not set");

test("docs/settings.md shows every default", async () => {
  expect(await configOf(DEFAULTS)).toEqual(await configOf("{}"));
  // The address has no default in the settings: what is shown is what the environment makes of it.
  const withDefault = (await configOf("{}")).filter(
    (line) => line !== "" && !isUnset(line) && !line.startsWith("host = "),
  );
  const shown = new Set(DEFAULTS.match(/^ +"(\w+)":/gm)?.map((key) => key.trim().slice(1, -2)));
  const keys = withDefault.map((line) => line.replace(/ = .*/, "").replace(/^.*\./, ""));
  expect(keys.filter((key) => !shown.has(key))).toEqual([]);
});

test("docs/settings.md shows every key that has no default, as a comment that is a valid value", async () => {
  // A comment before the last member of a group ends without a comma, which may follow in JSON with comments.
  const uncommented = DEFAULTS.replace(/^( +)\/\/ ("\w+": .*?)(,?)((?: +\/\/.*)?)$/gm, "$1$2,$4");
  const unset = (await configOf(uncommented)).filter(isUnset);
  expect(unset).toEqual([]);
});

test("docs/settings.md has an example of tools and hooks", async () => {
  const lines = await configOf(PROGRAMS);
  expect(lines.find((line) => line.startsWith("tools = "))).toContain('"name":"ticket"');
  expect(lines.find((line) => line.startsWith("hooks"))).toContain("logger");
});
