// `agent models`: what the server has, how much each model can hold, and what it can do.

import { AppError } from "../base/errors.ts";
import { visibleControls } from "../base/text.ts";
import { jsonText } from "../base/well-formed.ts";
import { listModels, loadedContexts, type OllamaServer, showModel } from "../model/ollama/server.ts";
import type { Command } from "./command.ts";
import { EXIT_OK } from "./exit.ts";
import { outputFlag } from "./global-flags.ts";
import { chooseServer } from "./model-choice.ts";
import { HOST_FLAG } from "./model-flags.ts";
import { settingsOf } from "./settings-of.ts";

export const modelsCommand: Command = {
  flags: [outputFlag(["text", "json"]), HOST_FLAG],
  examples: [
    { line: "agent models", does: "the models of the configured server" },
    {
      line: "agent models --output json | jq -r '.[] | select(.capabilities | index(\"tools\")) | .name'",
      does: "those that can use tools",
    },
  ],
  exitCodes: [1, 69],
  async run(context) {
    const { io, flags } = context;
    const server = chooseServer({ context, settings: await settingsOf(context) });
    const rows = await loadRows(server, context.signal);
    if (flags.text("output") === "json") {
      await io.stdout.write(`${jsonText(rows)}\n`);
      return EXIT_OK;
    }
    if (rows.length === 0) io.notice(`${server.host.url} has no models; "ollama pull <name>" brings one`);
    const table = renderTable(rows);
    await io.stdout.write(io.stdout.isTerminal ? visibleControls(table) : table);
    return EXIT_OK;
  },
};

/** One model. `contextLength` is in tokens, null if the server does not say. */
interface ModelRow {
  readonly name: string;
  readonly contextLength: number | null;
  readonly capabilities: readonly string[];
  readonly loaded: boolean;
}

async function loadRows(server: OllamaServer, signal: AbortSignal): Promise<readonly ModelRow[]> {
  const names = await listModels(server, signal);
  const loaded = await loadedOf(server, signal);
  const rows: ModelRow[] = [];
  // One after another: a server with hundreds of models is not asked for all at once.
  for (const name of names) {
    const { contextLength, capabilities } = await detailsOf(server, name, signal);
    rows.push({ name, contextLength, capabilities, loaded: loaded.has(name) });
  }
  return rows;
}

/** The cloud has models, but none that are loaded. */
async function loadedOf(server: OllamaServer, signal: AbortSignal): Promise<ReadonlyMap<string, unknown>> {
  try {
    return await loadedContexts(server, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    return new Map();
  }
}

/** A model whose files are broken is listed without details. */
async function detailsOf(
  server: OllamaServer,
  name: string,
  signal: AbortSignal,
): Promise<Pick<ModelRow, "contextLength" | "capabilities">> {
  try {
    const { contextLength = null, capabilities = [] } = await showModel(server, name, signal);
    return { contextLength, capabilities };
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    return { contextLength: null, capabilities: [] };
  }
}

function renderTable(rows: readonly ModelRow[]): string {
  if (rows.length === 0) return "";
  const cells = rows.map(({ name, contextLength, capabilities, loaded }) => [
    name,
    contextLength === null ? "?" : String(contextLength),
    loaded ? "yes" : "no",
    capabilities.join(",") || "?",
  ]);
  const all = [["NAME", "CONTEXT", "LOADED", "CAPABILITIES"], ...cells];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all
    .map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}\n`)
    .join("");
}
