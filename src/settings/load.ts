// Settings from files, merged: defaults < user < project < --config. Flags win over all of them, in each command.

import { dirname, resolve } from "node:path";
import { AppError } from "../base/errors.ts";
import { ignoredLink, leadsOut } from "../base/leads-out.ts";
import { directoriesUp } from "../base/repository.ts";
import { buildSettings } from "./build.ts";
import {
  findProject,
  type Layer,
  loadLayer,
  type Origin,
  projectConfigPath,
  userConfigPath,
} from "./layers.ts";
import { mergeLayers } from "./merge.ts";
import type { Settings } from "./settings.ts";
import { isTrusted, withoutTrust } from "./trust.ts";

/** Where to look. */
export interface SettingsRequest {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--config`. */
  readonly configPath: string | undefined;
  /** `--trust`. */
  readonly trust: boolean;
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** Whether the project's own host, permissions, tools and hooks are in force. */
  readonly trusted: boolean;
  /** One line each: unknown keys, what was ignored for want of trust. */
  readonly warnings: readonly string[];
  /** The files that were read, in the order of merging. */
  readonly files: readonly string[];
  /** Where each value that a file gave came from, by dotted path (`ttsr.enabled`). The rest are defaults. */
  readonly origins: ReadonlyMap<string, Origin>;
}

/** Reads and merges. Rejects with `AppError` (`settings`) with file, line and column for a wrong type or broken JSONC. */
export async function loadSettings(request: SettingsRequest): Promise<LoadedSettings> {
  const user = await loadUser(request);
  const project = await loadProject(request, user);
  const config = await loadNamed(request);
  const layers = [user, project.layer, config].filter((layer) => layer !== undefined);
  const merged = mergeLayers(layers, request.home);
  return {
    settings: buildSettings(merged.leaves),
    trusted: project.trusted,
    warnings: [...layers.flatMap((layer) => layer.warnings), ...project.warnings, ...merged.warnings],
    files: layers.map((layer) => layer.file),
    origins: new Map([...merged.leaves].map(([name, leaf]) => [name, leaf.origin])),
  };
}

async function loadUser({ cwd, home, env }: SettingsRequest): Promise<Layer | undefined> {
  const file = userConfigPath(home, env);
  if (file === undefined) return undefined;
  return loadLayer({ source: "user", file, pathsFrom: cwd, programsFrom: dirname(file) });
}

interface ProjectLayer {
  readonly layer: Layer | undefined;
  readonly directory: string;
  readonly trusted: boolean;
  readonly warnings: readonly string[];
}

async function loadProject(request: SettingsRequest, user: Layer | undefined): Promise<ProjectLayer> {
  const directory = findProject(request.cwd) ?? request.cwd;
  const listed = user?.leaves.get("trustedProjects")?.value;
  const projects = Array.isArray(listed) ? listed.filter((item) => typeof item === "string") : [];
  const chain = directoriesUp(directory);
  const trusted = request.trust || isTrusted(chain, projects, request.home);
  const file = projectConfigPath(directory);
  const base = { directory, trusted };
  if (file === userConfigPath(request.home, request.env)) return { ...base, layer: undefined, warnings: [] };
  if (!trusted && leadsOut(chain.at(-1) ?? directory, file))
    return { ...base, layer: undefined, warnings: [ignoredLink(file)] };
  const layer = await loadLayer({ source: "project", file, pathsFrom: directory, programsFrom: directory });
  if (trusted || layer === undefined) return { ...base, layer, warnings: [] };
  const restricted = withoutTrust(layer);
  const warnings = restricted.ignored.length === 0 ? [] : [ignoredWarning(file, restricted.ignored, request)];
  return { ...base, layer: restricted.layer, warnings };
}

function ignoredWarning(file: string, ignored: readonly string[], request: SettingsRequest): string {
  const userFile = userConfigPath(request.home, request.env);
  const how = userFile === undefined ? "--trust" : `--trust, or "trustedProjects" in ${userFile}`;
  return `${file}: ${ignored.join(", ")} ignored: this project is not trusted (${how})`;
}

/** The file of `--config`, which must be there. Rejects with `AppError`: `notFound`, or `settings` as `loadSettings` does. */
export async function loadNamed(
  request: Pick<SettingsRequest, "cwd" | "configPath">,
): Promise<Layer | undefined> {
  if (request.configPath === undefined) return undefined;
  const file = resolve(request.cwd, request.configPath);
  const layer = await loadLayer({
    source: "config",
    file,
    pathsFrom: request.cwd,
    programsFrom: dirname(file),
  });
  if (layer === undefined)
    throw new AppError("notFound", `Cannot read settings "${request.configPath}": there is no such file`);
  return layer;
}
