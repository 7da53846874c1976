// The tools of a run in a temporary directory, and calls to them: what the tests of tools share.

import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "../base/json.ts";
import { textOf } from "../model/messages.ts";
import { type CustomToolSettings, DEFAULT_SETTINGS, type PermissionSettings } from "../settings/settings.ts";
import { buildPermissions } from "../tools/permissions/build.ts";
import type { ToolResult, ToolSet } from "../tools/tool.ts";
import { buildToolSet } from "../tools/toolset.ts";
import { tempDir } from "./temp.ts";

export interface ToolPlaceOptions {
  /** As flags would grant; paths relative to the working directory. */
  readonly grants?: Partial<PermissionSettings>;
  readonly all?: boolean;
  /** Files that the run keeps, below the working directory. */
  readonly runFiles?: readonly string[];
  readonly custom?: readonly CustomToolSettings[];
  readonly sandbox?: boolean;
  readonly vision?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Holds `project`, `outside` and `home`; left out: a temporary directory. */
  readonly root?: string;
  readonly readRule?: (name: string) => string | undefined;
}

export interface ToolPlace extends Disposable {
  /** The real path of the working directory; `outside` lies beside it. */
  readonly cwd: string;
  readonly outside: string;
  readonly tools: ToolSet;
  /** Writes a file below the working directory. */
  write(name: string, content: string | Uint8Array): string;
  call(name: string, args: JsonObject, signal?: AbortSignal): Promise<ToolResult>;
  /** The text of the result. */
  text(name: string, args: JsonObject): Promise<string>;
}

export async function toolPlace(options: ToolPlaceOptions = {}): Promise<ToolPlace> {
  const dir = tempDir();
  const root = realpathSync(options.root ?? dir.path);
  const [cwd, outside, home] = ["project", "outside", "home"].map((name) => join(root, name));
  if (cwd === undefined || outside === undefined || home === undefined) throw new Error("three names");
  for (const path of [cwd, outside, home]) mkdirSync(path, { recursive: true });
  const none = DEFAULT_SETTINGS.permissions;
  const env = { PATH: process.env["PATH"], HOME: home, TMPDIR: root, ...options.env };
  const place = { cwd, home, env };
  const permissions = buildPermissions({
    settings: none,
    flags: { ...none, ...options.grants },
    all: options.all ?? false,
    runFiles: (options.runFiles ?? []).map((name) => join(cwd, name)),
    ...place,
  });
  const tools = await buildToolSet({
    ...place,
    permissions,
    names: undefined,
    custom: options.custom ?? [],
    vision: options.vision ?? false,
    sandbox: options.sandbox ?? false,
    ...(options.readRule === undefined ? {} : { readRule: options.readRule }),
  });
  const call: ToolPlace["call"] = async (name, args, signal = new AbortController().signal) => {
    const tool = tools.offered.find((candidate) => candidate.spec.name === name);
    if (tool === undefined) throw new Error(`${name} is not offered`);
    return await tool.run({ toolCallId: "call-1", arguments: args, update: () => {} }, signal);
  };
  return {
    cwd,
    outside,
    tools,
    write(name, content) {
      const file = join(cwd, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    call,
    text: async (name, args) => textOf((await call(name, args)).content),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}
