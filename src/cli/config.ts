// `agent config`: the merged settings, value by value, and the file, line and column that each came from. What no file
// sets is shown as what is in force instead.

import { isObject } from "../base/json.ts";
import { jsonText } from "../base/well-formed.ts";
import { parseHost } from "../model/ollama/host.ts";
import type { Origin } from "../settings/layers.ts";
import type { LoadedSettings } from "../settings/load.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_OK } from "./exit.ts";
import { outputFlag } from "./global-flags.ts";

export const configCommand: Command = {
  flags: [outputFlag(["text", "json"])],
  examples: [
    { line: "agent config", does: "every setting, its value and its origin" },
    { line: "agent config --output json | jq .origins", does: "where values came from, for a script" },
  ],
  exitCodes: [66],
  notes: "Flags of the other commands (--model, --allow-write …) win over all of these.",
  run: runConfig,
};

async function runConfig(context: CommandContext): Promise<number> {
  const { home, flags, io, env } = context;
  const loaded = withHost(await context.loadSettings(), env);
  await io.stdout.write(flags.text("output") === "json" ? renderJson(loaded) : renderText(loaded, home));
  return EXIT_OK;
}

type ShownOrigin = Origin | { readonly source: "environment"; readonly variable: string };

type Shown = Omit<LoadedSettings, "origins"> & { readonly origins: ReadonlyMap<string, ShownOrigin> };

/** With the server that is meant where no file names one. */
function withHost(loaded: LoadedSettings, env: CommandContext["env"]): Shown {
  const { settings, origins } = loaded;
  if (settings.host !== undefined) return loaded;
  const variable = "OLLAMA_HOST";
  const host = env[variable]?.trim();
  if (!host) return { ...loaded, settings: { ...settings, host: parseHost("").url } };
  const from = new Map<string, ShownOrigin>([...origins, ["host", { source: "environment", variable }]]);
  return { ...loaded, settings: { ...settings, host }, origins: from };
}

/** What holds where a setting has no value. */
const UNSET: ReadonlyMap<string, string> = new Map([
  ["model", "the session's, else the server's only one"],
  ["numCtx", "what is loaded, Modelfile, 32768"],
  ["keepAlive", "the server's own"],
  ["think", "the model's own"],
  ["handoff.model", "as model"],
  ["permissions.read", "the working directory"],
  ["permissions.env", "PATH, HOME, LANG"],
]);

function renderValue({ name, value }: Row): string {
  if (value !== undefined) return JSON.stringify(value);
  return `(not set: ${UNSET.get(name) ?? (name.startsWith("permissions.") ? "nothing" : "none")})`;
}

interface Row {
  readonly name: string;
  readonly value: unknown;
}

function renderText(loaded: Shown, home: string): string {
  const rows = flatten(withoutPassword(loaded))
    .map(asInFiles)
    .map((row) => ({
      head: `${row.name} = ${renderValue(row)}`,
      origin: renderOrigin(loaded, row.name, home),
    }));
  const width = Math.min(50, Math.max(...rows.map((row) => row.head.length)));
  return rows.map((row) => `${row.head.padEnd(width)}  ${row.origin}\n`).join("");
}

function renderOrigin({ origins }: Shown, name: string, home: string): string {
  const origin = origins.get(name);
  if (origin?.source === "environment") return origin.variable;
  if (origin?.file === undefined) return "default";
  const file =
    home !== "" && origin.file.startsWith(`${home}/`) ? `~${origin.file.slice(home.length)}` : origin.file;
  return `${origin.source} ${file}:${origin.line}:${origin.column}`;
}

/** Name and value as a settings file has them, where the program's own are others. */
function asInFiles({ name, value }: Row): Row {
  if (name !== "limits.maxTimeMs") return { name, value };
  const whole = typeof value === "number" && value % 1000 === 0;
  return {
    name: "limits.maxTime",
    value: value === undefined ? undefined : whole ? `${value / 1000}s` : `${value}ms`,
  };
}

function renderJson(loaded: Shown): string {
  const { files, trusted, warnings, origins } = loaded;
  const settings = withoutPassword(loaded);
  return `${jsonText({ settings, origins: Object.fromEntries(origins), files, trusted, warnings }, 2)}\n`;
}

/** Every value with its dotted name, in the order of the settings; lists are values. */
function flatten(value: object, prefix = ""): readonly Row[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const name = `${prefix}${key}`;
    const isGroup = isObject(member) && Object.keys(member).length > 0;
    return isGroup ? flatten(member, `${name}.`) : [{ name, value: member }];
  });
}

/** An address may carry a password, which is nobody's business in a log. */
function withoutPassword({ settings }: Shown): Shown["settings"] {
  const { host } = settings;
  return host === undefined ? settings : { ...settings, host: host.replace(/(^|\/\/)[^/@]*@/, "$1…@") };
}
