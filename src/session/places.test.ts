import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { type TempDir, tempDir } from "../testing/temp.ts";
import type { AgentName } from "./formats/format.ts";
import { agentSessions } from "./places.ts";

const CWD = "/srv/kettle app";

const CONTENT: Readonly<Record<string, (cwd: string) => string>> = {
  claude: (cwd) =>
    `{"type":"user","sessionId":"s","cwd":"${cwd}","uuid":"u","message":{"role":"user","content":"hi"}}\n`,
  codex: (cwd) =>
    `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"${cwd}"}}\n`,
  gemini: () => `{"sessionId":"s","projectHash":"h","startTime":"2026-01-01T00:00:00Z"}\n`,
  copilot: (cwd) =>
    `{"type":"session.start","data":{"sessionId":"s","context":{"cwd":"${cwd}"}},"id":"e","parentId":null}\n`,
  pi: (cwd) => `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"${cwd}"}\n`,
};

function place(home: TempDir, name: string, content: string, time = 1_700_000_000): string {
  const path = home.write(name, content);
  utimesSync(path, time, time);
  return path;
}

const found = (home: TempDir, agent: AgentName, more: { cwd?: string; env?: Record<string, string> } = {}) =>
  [...agentSessions({ agent, home: home.path, env: {}, ...more })].map(({ path, format, cwd }) => ({
    path: path.slice(home.path.length + 1),
    format,
    cwd,
  }));

test("agentSessions() finds each agent's sessions of a directory in the agent's usual place", () => {
  using home = tempDir();
  const hash = createHash("sha256").update(CWD).digest("hex");
  const paths = {
    claude: ".claude/projects/-srv-kettle-app/3f.jsonl",
    codex: ".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-s.jsonl",
    gemini: `.gemini/tmp/${hash}/chats/session-2026-01-01T00-00-s.json`,
    copilot: ".copilot/session-state/s/events.jsonl",
    pi: ".pi/agent/sessions/--srv-kettle app--/2026_s.jsonl",
    omp: ".omp/agent/sessions/-srv-kettle app/2026_s.jsonl",
  };
  const agents = Object.keys(paths) as (keyof typeof paths)[];
  for (const agent of agents) {
    place(home, paths[agent], (CONTENT[agent === "omp" ? "pi" : agent] ?? String)(CWD));
  }
  expect(
    agents.map((agent) => found(home, agent, { cwd: CWD }).map(({ path, cwd }) => ({ path, cwd }))),
  ).toEqual(agents.map((agent) => [{ path: paths[agent], cwd: CWD }]));
});

test("agentSessions() gives the newest first, and only the directory asked for even where names collide", () => {
  using home = tempDir();
  const folder = ".claude/projects/-srv-kettle-app";
  place(home, `${folder}/old.jsonl`, CONTENT["claude"]?.(CWD) ?? "", 1_000);
  place(home, `${folder}/new.jsonl`, CONTENT["claude"]?.(CWD) ?? "", 2_000);
  place(home, `${folder}/other.jsonl`, CONTENT["claude"]?.("/srv/kettle-app") ?? "", 3_000);
  expect(found(home, "claude", { cwd: CWD }).map(({ path }) => path)).toEqual([
    `${folder}/new.jsonl`,
    `${folder}/old.jsonl`,
  ]);
  expect(found(home, "claude")).toHaveLength(3);
});

test("agentSessions() skips files that are no sessions, and subagents' files", () => {
  using home = tempDir();
  const folder = ".claude/projects/-srv-kettle-app";
  place(home, `${folder}/history.jsonl`, '{"display":"x","pastedContents":{},"project":"/srv"}\n');
  place(home, `${folder}/agent-7.jsonl`, CONTENT["claude"]?.(CWD) ?? "");
  place(home, `${folder}/empty.jsonl`, "");
  expect(found(home, "claude", { cwd: CWD })).toEqual([]);
});

test("agentSessions() leaves out the sessions of Codex's, Gemini's and OpenCode's subagents", () => {
  using home = tempDir();
  const meta = {
    type: "session_meta",
    payload: { id: "s", cwd: CWD, source: { subagent: { thread_spawn: {} } } },
  };
  place(home, ".codex/sessions/2026/01/01/rollout-a.jsonl", `${JSON.stringify(meta)}\n`);
  place(
    home,
    ".gemini/tmp/p/chats/session-a.jsonl",
    '{"sessionId":"s","projectHash":"h","kind":"subagent"}\n',
  );
  const info = { id: "ses_1", projectID: "p", directory: CWD, parentID: "ses_0" };
  place(home, ".local/share/opencode/storage/session/p/ses_1.json", JSON.stringify(info));
  expect([found(home, "codex"), found(home, "gemini"), found(home, "opencode")]).toEqual([[], [], []]);
});

test("agentSessions() finds the directory behind thousands of lines that tell none", () => {
  using home = tempDir();
  const queue = `${JSON.stringify({ type: "queue-operation", operation: "enqueue", sessionId: "s" })}\n`;
  const path = ".claude/projects/-srv-kettle-app/long.jsonl";
  place(home, path, queue.repeat(5_000) + (CONTENT["claude"]?.(CWD) ?? ""));
  expect(found(home, "claude", { cwd: CWD })).toEqual([{ path, format: "claude", cwd: CWD }]);
});

test("agentSessions() honours the agents' own variables and finds nothing where nothing is", () => {
  using home = tempDir();
  place(home, "elsewhere/sessions/rollout-a.jsonl", CONTENT["codex"]?.(CWD) ?? "");
  const env = { CODEX_HOME: join(home.path, "elsewhere") };
  expect(found(home, "codex", { cwd: CWD, env })).toEqual([
    { path: "elsewhere/sessions/rollout-a.jsonl", format: "codex-v3", cwd: CWD },
  ]);
  expect(found(home, "codex", { cwd: CWD })).toEqual([]);
});

test("agentSessions() finds a Gemini project by the name that its list, or a file inside, gives it", () => {
  using home = tempDir();
  const content = CONTENT["gemini"]?.(CWD) ?? "";
  home.write(".gemini/projects.json", JSON.stringify({ projects: { [CWD]: "kettle-app" } }));
  place(home, ".gemini/tmp/kettle-app/chats/session-1.jsonl", content, 2_000);
  place(home, ".gemini/tmp/other/chats/session-2.jsonl", content);
  place(home, ".gemini/tmp/moved/chats/session-3.jsonl", content, 1_000);
  home.write(".gemini/tmp/moved/.project_root", `${CWD}\n`);
  expect(found(home, "gemini", { cwd: CWD }).map(({ path }) => path)).toEqual([
    ".gemini/tmp/kettle-app/chats/session-1.jsonl",
    ".gemini/tmp/moved/chats/session-3.jsonl",
  ]);
});

test("agentSessions() puts an OpenCode session together from its files", async () => {
  using home = tempDir();
  const root = ".local/share/opencode/storage";
  const info = { id: "ses_1", projectID: "p", directory: CWD, title: "Kettle", time: { created: 1 } };
  place(home, `${root}/session/p/ses_1.json`, JSON.stringify(info));
  place(home, `${root}/message/ses_1/msg_2.json`, '{"id":"msg_2","role":"assistant"}');
  place(home, `${root}/message/ses_1/msg_1.json`, '{"id":"msg_1","role":"user"}');
  place(home, `${root}/part/msg_1/prt_1.json`, '{"id":"prt_1","type":"text","text":"boil"}');
  const [session] = agentSessions({ agent: "opencode", home: home.path, env: {}, cwd: CWD });
  const chunks = await Array.fromAsync(session?.chunks() ?? []);
  expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual({
    info,
    messages: [
      { info: { id: "msg_1", role: "user" }, parts: [{ id: "prt_1", type: "text", text: "boil" }] },
      { info: { id: "msg_2", role: "assistant" }, parts: [] },
    ],
  });
});
