// Which file wins, where each value came from, and what is said about a wrong one.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";
import { type LoadedSettings, loadSettings, type SettingsRequest } from "./load.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

interface Files {
  readonly user?: string;
  readonly project?: string;
  readonly config?: string;
}

/** Loads with these files; paths in what comes back begin with `/T`. */
async function load(files: Files, more: Partial<SettingsRequest> = {}): Promise<LoadedSettings> {
  using dir = tempDir();
  return await loadIn(dir, files, more);
}

async function loadIn(
  dir: TempDir,
  files: Files,
  more: Partial<SettingsRequest> = {},
): Promise<LoadedSettings> {
  dir.write("home/.keep", "");
  dir.write("project/.git/HEAD", "");
  if (files.user !== undefined) dir.write("home/.config/agent/config.jsonc", files.user);
  if (files.project !== undefined) dir.write("project/.agent/config.jsonc", files.project);
  if (files.config !== undefined) dir.write("named.jsonc", files.config);
  const loaded = await loadSettings({
    cwd: join(dir.path, "project"),
    home: join(dir.path, "home"),
    env: {},
    configPath: files.config === undefined ? undefined : "../named.jsonc",
    trust: false,
    ...more,
  });
  return JSON.parse(JSON.stringify(loaded).replaceAll(dir.path, "/T"));
}

async function failure(files: Files): Promise<string> {
  using dir = tempDir();
  try {
    await loadIn(dir, files);
    return "accepted";
  } catch (error) {
    return messageOf(error).replaceAll(dir.path, "/T");
  }
}

test("loadSettings() gives the defaults where there is no file", async () => {
  using dir = tempDir();
  const request = { cwd: dir.path, home: dir.path, env: {}, configPath: undefined, trust: false };
  expect(await loadSettings(request)).toEqual({
    settings: DEFAULT_SETTINGS,
    trusted: false,
    warnings: [],
    files: [],
    origins: new Map(),
  });
});

test("loadSettings() merges user < project < --config, member by member", async () => {
  const { settings, files } = await load({
    user: '{ "model": "u", "think": "low", "ttsr": { "repeatGap": 1, "enabled": false, "disabledRules": ["a", "b"] } }',
    project:
      '{ "model": "p", "ttsr": { "repeatGap": 2, "disabledRules": ["c"] }, "limits": { "maxTime": "1h30m" } }',
    config: '{ /* last */ "model": "c", "keepAlive": 300, }',
  });
  expect(settings).toEqual({
    ...JSON.parse(JSON.stringify(DEFAULT_SETTINGS)),
    model: "c",
    think: "low",
    keepAlive: 300,
    ttsr: { ...DEFAULT_SETTINGS.ttsr, enabled: false, repeatGap: 2, disabledRules: ["c"] },
    limits: { maxTurns: 50, maxTimeMs: 5_400_000 },
  });
  expect(files).toEqual([
    "/T/home/.config/agent/config.jsonc",
    "/T/project/.agent/config.jsonc",
    "/T/named.jsonc",
  ]);
});

test("loadSettings() tells where each value came from", async () => {
  using dir = tempDir();
  const user = dir.write("home/config.jsonc", '{\n  "model": "u",\n  "ttsr": { "repeatGap": 1 }\n}');
  const request = {
    cwd: dir.path,
    home: "/nowhere",
    env: { AGENT_HOME: join(dir.path, "home") },
    configPath: undefined,
    trust: false,
  };
  expect((await loadSettings(request)).origins).toEqual(
    new Map([
      ["model", { source: "user", file: user, line: 2, column: 12 }],
      ["ttsr.repeatGap", { source: "user", file: user, line: 3, column: 26 }],
    ]),
  );
});

test("loadSettings() finds the user's file by AGENT_HOME, XDG_CONFIG_HOME and home, in this order", async () => {
  using dir = tempDir();
  dir.write("a/config.jsonc", '{ "model": "agent-home" }');
  dir.write("x/agent/config.jsonc", '{ "model": "xdg" }');
  dir.write("h/.config/agent/config.jsonc", '{ "model": "home" }');
  dir.write(".config/agent/config.jsonc", '{ "model": "hostile" }');
  const at = async (home: string, env: Record<string, string>) =>
    (await loadSettings({ cwd: dir.path, home, env, configPath: undefined, trust: false })).settings.model;
  const path = (name: string) => join(dir.path, name);
  expect([
    await at(path("h"), { AGENT_HOME: path("a"), XDG_CONFIG_HOME: path("x") }),
    await at(path("h"), { XDG_CONFIG_HOME: path("x") }),
    await at(path("h"), { XDG_CONFIG_HOME: "x" }),
    await at(path("h"), {}),
    await at("", {}),
  ]).toEqual(["agent-home", "xdg", "home", "home", undefined]);
});

test("loadSettings() finds the project's file from a directory inside the repository, not above it", async () => {
  using dir = tempDir();
  dir.write(".agent/config.jsonc", '{ "model": "above" }');
  dir.write("repo/.git/HEAD", "");
  dir.write("repo/.agent/config.jsonc", '{ "model": "repo" }');
  dir.write("repo/deep/er/x", "");
  dir.write("plain/deep/x", "");
  const at = async (cwd: string) =>
    (await loadSettings({ cwd: join(dir.path, cwd), home: "", env: {}, configPath: undefined, trust: false }))
      .settings.model;
  expect([await at("repo"), await at("repo/deep/er"), await at("plain/deep")]).toEqual([
    "repo",
    "repo",
    undefined,
  ]);
});

test("loadSettings() warns of unknown keys with the nearest known one", async () => {
  const { warnings } = await load({
    user: '{\n "modle": "x",\n "ttsr": { "repeatgap": 3 },\n "zzz": 1,\n "hooks": { "turnend": [] }\n}',
  });
  expect(warnings).toEqual([
    '/T/home/.config/agent/config.jsonc:2:2: unknown key "modle"; did you mean "model"?',
    '/T/home/.config/agent/config.jsonc:3:12: unknown key "ttsr.repeatgap"; did you mean "ttsr.repeatGap"?',
    '/T/home/.config/agent/config.jsonc:4:2: unknown key "zzz"',
    '/T/home/.config/agent/config.jsonc:5:13: unknown key "hooks.turnend"; did you mean "hooks.turn_end"?',
  ]);
});

const WRONG: readonly (readonly [string, string])[] = [
  ['{ "model": 3 }', '1:12: "model" must be a text, not 3'],
  ['{\n  "ttsr": {\n    "repeatGap": "x"\n  }\n}', '3:18: "ttsr.repeatGap" must be a whole number, not "x"'],
  ['{ "ttsr": [] }', '1:11: "ttsr" must be an object, not a list'],
  ['{ "think": "much" }', '1:12: "think" must be one of "off", "on", "low", "medium", "high", not "much"'],
  [
    '{ "permissions": { "read": "src" } }',
    '1:28: "permissions.read" must be true or false or a list, not "src"',
  ],
  ['{ "permissions": { "run": [1] } }', '1:28: "permissions.run.0" must be a text, not 1'],
  ['{ "limits": { "maxTurns": 0 } }', '1:27: "limits.maxTurns" must be at least 1, not 0'],
  [
    '{ "limits": { "maxTime": "soon" } }',
    '1:26: "limits.maxTime" must match ^\\d+(\\.\\d+)?$|^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$, not "soon"',
  ],
  ['{ "tools": [{ "name": "x" }] }', '1:13: "tools.0" lacks "description"'],
  [
    '{ "hooks": { "turn_end": [{ "command": [] }] } }',
    '1:40: "hooks.turn_end.0.command" must have at least 1 item',
  ],
  ["[]", "1:1: the settings must be an object, not a list"],
  ["", "1:1: value expected"],
  ['{ "model": }', "1:12: value expected"],
  ['{ "model": "x" ', "1:16: close brace expected"],
  ['{ "model": "a", "model": "b" }', '1:17: "model" is given twice'],
  [`${"[".repeat(100_000)}`, "1:1: nested too deeply"],
];

for (const [text, expected] of WRONG) {
  test(`loadSettings() refuses ${text.slice(0, 60)} with line and column`, async () => {
    expect(await failure({ user: text })).toBe(
      `Cannot use settings /T/home/.config/agent/config.jsonc:${expected}`,
    );
  });
}

test("loadSettings() says that a list of hosts cannot be enforced", async () => {
  expect((await load({ user: '{ "permissions": { "net": ["example.com"] } }' })).warnings).toEqual([
    "/T/home/.config/agent/config.jsonc: permissions.net: a list of hosts cannot be enforced and counts as false",
  ]);
});

test("loadSettings() takes a byte-order mark, comments and trailing commas", async () => {
  expect((await load({ user: '\ufeff// hi\n{ "model": "x", /* a */ }\n' })).settings.model).toBe("x");
});

test("loadSettings() takes __proto__ for an unknown key and nothing else", async () => {
  const loaded = await load({
    user: '{ "__proto__": { "model": "x" }, "ttsr": { "__proto__": { "enabled": false } } }',
  });
  expect(loaded.settings).toEqual(JSON.parse(JSON.stringify(DEFAULT_SETTINGS)));
  expect(loaded.warnings.length).toBe(2);
});

test("loadSettings() says so when the file of --config is missing", async () => {
  using dir = tempDir();
  const request = { cwd: dir.path, home: "", env: {}, configPath: "no.jsonc", trust: false };
  await expect(loadSettings(request)).rejects.toThrow(
    expect.objectContaining({
      kind: "notFound",
      message: 'Cannot read settings "no.jsonc": there is no such file',
    }),
  );
});

test("loadSettings() makes paths and programs absolute by the file they stand in", async () => {
  const { settings } = await load(
    {
      user: '{ "permissions": { "read": ["src", "~/x", "/abs"] }, "hooks": { "turn_end": [{ "command": ["./hook", "./arg"] }, { "command": ["echo"] }] } }',
      project:
        '{ "permissions": { "write": ["out"] }, "tools": [{ "name": "t", "description": "d", "parameters": {}, "command": ["./t"] }] }',
    },
    { trust: true },
  );
  expect(settings.permissions).toMatchObject({
    read: ["/T/project/src", "/T/home/x", "/abs"],
    write: ["/T/project/out"],
  });
  expect(settings.hooks["turn_end"]?.map((hook) => hook.command)).toEqual([
    ["/T/home/.config/agent/hook", "./arg"],
    ["echo"],
  ]);
  expect(settings.tools.map((tool) => tool.command)).toEqual([["/T/project/t"]]);
});

test("loadSettings() adds denials and hooks, and merges tools by name", async () => {
  const tool = (name: string, command: string) =>
    `{ "name": "${name}", "description": "d", "parameters": {}, "command": ["${command}"] }`;
  const { settings } = await load(
    {
      user: `{ "permissions": { "deny": { "run": ["rm"], "write": true } }, "hooks": { "turn_end": [{ "command": ["u"] }] }, "tools": [${tool("a", "u")}, ${tool("b", "u")}] }`,
      project: `{ "permissions": { "run": true, "deny": { "run": ["git"], "write": false } }, "hooks": { "turn_end": [{ "command": ["p"] }] }, "tools": [${tool("b", "p")}] }`,
    },
    { trust: true },
  );
  expect(settings.permissions.deny).toMatchObject({ run: ["rm", "git"], write: true });
  expect(settings.hooks["turn_end"]?.map((hook) => hook.command[0])).toEqual(["u", "p"]);
  expect(settings.tools.map(({ name, command }) => [name, command[0]])).toEqual([
    ["a", "u"],
    ["b", "p"],
  ]);
});
