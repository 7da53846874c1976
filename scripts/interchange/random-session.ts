// Random work on a session, the same for ours and for pi's: what is appended, and where branches begin.

import { randomNumbers } from "../make-session.ts";

/** One thing that is done to a session. Entries are named by how many came before them. */
export type Step =
  | { readonly kind: "message"; readonly message: object }
  | { readonly kind: "custom"; readonly data: unknown }
  | { readonly kind: "customMessage"; readonly text: string; readonly display: boolean }
  | { readonly kind: "compaction"; readonly summary: string; readonly keptBack: number }
  | { readonly kind: "model"; readonly modelId: string }
  | { readonly kind: "thinking"; readonly level: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "label"; readonly target: number; readonly label: string | undefined }
  | { readonly kind: "branch"; readonly from: number }
  | { readonly kind: "branchSummary"; readonly from: number; readonly summary: string };

const TEXTS = [
  "plain",
  "two\nlines",
  'quotes " and \\ and \t',
  "ünï → 漢字 😀",
  "\u2028\u2029",
  "\ud800 alone",
  "",
];

/** About `length` steps; the first is a user message, the second an answer, so that pi writes its file. */
export function randomSteps(seed: number, length: number): readonly Step[] {
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => {
    const item = list[Math.floor(random() * list.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const steps: Step[] = [
    { kind: "message", message: user("first") },
    { kind: "message", message: assistant("answer", "m0") },
  ];
  let entries = 2;
  while (steps.length < length) {
    const step = randomStep({ random, pick, entries });
    steps.push(step);
    if (step.kind !== "branch") entries += 1;
  }
  return steps;
}

interface Choice {
  readonly random: () => number;
  readonly pick: <T>(list: readonly T[]) => T;
  readonly entries: number;
}

function randomStep({ random, pick, entries }: Choice): Step {
  const earlier = Math.floor(random() * entries);
  const text = pick(TEXTS);
  const dice = random();
  if (dice < 0.25) return { kind: "message", message: user(text) };
  if (dice < 0.45) return { kind: "message", message: assistant(text, pick(["m1", "m2"])) };
  if (dice < 0.55) return { kind: "message", message: toolResult(text) };
  if (dice < 0.6) return { kind: "message", message: bash(text) };
  if (dice < 0.65) return { kind: "customMessage", text, display: random() < 0.5 };
  if (dice < 0.7) return { kind: "custom", data: { text, list: [1, null] } };
  if (dice < 0.78)
    return { kind: "compaction", summary: `summary ${text}`, keptBack: 1 + Math.floor(random() * 6) };
  if (dice < 0.82) return { kind: "model", modelId: pick(["m3", "m4"]) };
  if (dice < 0.85) return { kind: "thinking", level: pick(["off", "low", "high"]) };
  if (dice < 0.87) return { kind: "name", name: pick(["one", "another name"]) };
  if (dice < 0.89) return { kind: "label", target: earlier, label: random() < 0.7 ? "here" : undefined };
  if (dice < 0.96) return { kind: "branch", from: earlier };
  return { kind: "branchSummary", from: earlier, summary: `tried ${text}` };
}

function user(text: string): object {
  return { role: "user", content: text, timestamp: 1_767_323_045_000 };
}

function assistant(text: string, model: string): object {
  const content = [
    { type: "thinking", thinking: "hm", thinkingSignature: "s" },
    { type: "text", text },
    { type: "toolCall", id: "call_1", name: "bash", arguments: { command: "ls" } },
  ];
  const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cost: { total: 0.5 } };
  return {
    ...{ role: "assistant", content, api: "a", provider: "p", model, usage, stopReason: "toolUse" },
    timestamp: 1_767_323_045_000,
  };
}

function toolResult(text: string): object {
  const content = [
    { type: "text", text },
    { type: "image", data: "AAAA", mimeType: "image/png" },
  ];
  const details = { exitCode: 1 };
  return {
    role: "toolResult",
    toolCallId: "call_1",
    toolName: "bash",
    content,
    isError: true,
    details,
    timestamp: 1,
  };
}

function bash(text: string): object {
  return {
    role: "bashExecution",
    command: text,
    output: "o",
    exitCode: 0,
    cancelled: false,
    truncated: false,
    timestamp: 1,
  };
}
