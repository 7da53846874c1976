// Hooks and `onSession` of custom tools: programs of the user's settings that are told of events. The run never waits
// for one, and none can fail it; programs of one entry get their events in order.

import type { JsonObject } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { jsonText } from "../base/well-formed.ts";
import type { CustomToolSettings, HookSettings } from "../settings/settings.ts";
import { CALL_KIND, failureOf } from "../tools/custom.ts";
import type { NameGrant } from "../tools/permissions/permissions.ts";
import { cleanEnvironment } from "../tools/process/environment.ts";
import { runProcesses } from "../tools/process/guard.ts";
import { runProgram } from "../tools/process/run.ts";
import type { AgentEvent } from "./events.ts";

export interface HooksRequest {
  /** Event name → programs. */
  readonly hooks: { readonly [event: string]: readonly HookSettings[] };
  /** Those with `onSession` are told of the session. */
  readonly tools: readonly CustomToolSettings[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that programs see beside the basic ones. */
  readonly allowEnv: NameGrant;
}

export interface Hooks {
  /** Hands the event to its programs and returns at once. Never throws. */
  notify(event: AgentEvent): void;
  /**
   * Waits until every program has ended, each by its own timeout at the latest; once the signal is aborted they have 2 s
   * more. Gives one line for each program that failed.
   */
  settle(signal: AbortSignal): Promise<readonly string[]>;
}

/** Events that wait for one program, which is slower than they come; more are dropped, and that is said. */
const MAX_WAITING = 200;
const STDERR_CHARS = 300;

/** How long programs may still take when a signal or the time limit ended the run. */
const ABORT_GRACE_MS = 2_000;

/** One program with the events that wait for it. */
interface Listener {
  readonly name: string;
  readonly settings: HookSettings;
  readonly kind: "hook" | "session";
  /** The JSON of an event, if the program wants it. */
  payload(event: AgentEvent): string | undefined;
  last: Promise<void>;
  waiting: number;
  dropped: number;
}

export function createHooks(request: HooksRequest): Hooks {
  const listeners = [...hookListeners(request), ...sessionListeners(request)];
  const processes = runProcesses();
  const ending = new AbortController();
  const failures: string[] = [];
  const start = async (listener: Listener, input: string): Promise<void> => {
    if (ending.signal.aborted) {
      listener.dropped++;
      return;
    }
    const problem = await runListener(listener, {
      input,
      request,
      marker: processes.marker,
      signal: ending.signal,
    });
    listener.waiting--;
    if (problem !== undefined) failures.push(`${listener.name}: ${problem}`);
  };
  return {
    notify(event) {
      for (const listener of listeners) {
        const input = listener.payload(event);
        if (input === undefined) continue;
        if (listener.waiting >= MAX_WAITING) {
          listener.dropped++;
          continue;
        }
        processes.start();
        listener.waiting++;
        listener.last = listener.last.then(() => start(listener, input));
      }
    },
    async settle(signal) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const abort = () => {
        timer = setTimeout(() => ending.abort(), ABORT_GRACE_MS);
      };
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
      await Promise.all(listeners.map((listener) => listener.last));
      signal.removeEventListener("abort", abort);
      clearTimeout(timer);
      const dropped = listeners.filter((listener) => listener.dropped > 0);
      return [
        ...new Set(failures),
        ...dropped.map(
          ({ name, dropped: count }) => `${name}: ${plural(count, "event")} could not be delivered in time`,
        ),
      ];
    },
  };
}

function hookListeners({ hooks }: HooksRequest): readonly Listener[] {
  return Object.entries(hooks).flatMap(([type, list]) =>
    list.map((settings) => ({
      name: `hook ${type} (${settings.command[0]})`,
      settings,
      kind: "hook" as const,
      payload: (event: AgentEvent) => (event.type === type ? `${jsonText(event)}\n` : undefined),
      ...idle(),
    })),
  );
}

function sessionListeners({ tools }: HooksRequest): readonly Listener[] {
  return tools
    .filter((tool) => tool.onSession)
    .map((tool) => ({
      name: `tool ${tool.name} (onSession)`,
      settings: { command: tool.command, timeoutMs: tool.timeoutMs },
      kind: "session" as const,
      payload: (event: AgentEvent) => {
        const reason = SESSION_REASONS.get(event.type);
        if (reason === undefined) return undefined;
        return `${jsonText({ reason, ...sessionFacts(event) })}\n`;
      },
      ...idle(),
    }));
}

/** The event's own members; a reason of its own is called `cause`. */
function sessionFacts(event: AgentEvent): JsonObject {
  const { type: _, reason, ...rest }: JsonObject = { ...event };
  return reason === undefined ? rest : { ...rest, cause: reason };
}

function idle(): Pick<Listener, "last" | "waiting" | "dropped"> {
  return { last: Promise.resolve(), waiting: 0, dropped: 0 };
}

/** The events that concern the session, by the reason that a program is given. */
const SESSION_REASONS: ReadonlyMap<AgentEvent["type"], string> = new Map([
  ["agent_start", "start"],
  ["ttsr_triggered", "ttsr_triggered"],
  ["ttsr_suppressed", "ttsr_suppressed"],
  ["compaction_start", "compaction_start"],
  ["compaction_end", "compaction_end"],
  ["agent_end", "shutdown"],
]);

interface ListenerRun {
  readonly input: string;
  readonly request: HooksRequest;
  readonly marker: string;
  readonly signal: AbortSignal;
}

/** Runs the program for one event; gives what went wrong. */
async function runListener(listener: Listener, run: ListenerRun): Promise<string | undefined> {
  const { request } = run;
  let stderr = "";
  const end = await runProgram({
    command: listener.settings.command,
    cwd: request.cwd,
    env: { ...cleanEnvironment(request.env, request.allowEnv), [CALL_KIND]: listener.kind },
    runMarker: run.marker,
    input: run.input,
    timeoutMs: listener.settings.timeoutMs,
    signal: run.signal,
    keepBackground: false,
    onStdout: () => {},
    onStderr: (text) => {
      if (stderr.length < STDERR_CHARS) stderr += text;
    },
  });
  const failure = failureOf(end, listener.settings);
  if (failure === undefined) return undefined;
  const said = stderr.replace(/\s+/g, " ").trim().slice(0, STDERR_CHARS);
  return said === "" ? failure : `${failure}: ${said}`;
}
