// The context window: which `num_ctx` to ask for, and whether the server kept to it. One value for the whole run,
// because every change makes the server load the model again. The server cuts a prompt that is too long without a
// word, so its count of the prompt is checked.

import { correctEstimate, type TokenCount } from "../tokens.ts";

export interface WindowFacts {
  /** From a flag or the settings. */
  readonly asked: number | undefined;
  /** `/api/show`: the most the model was made for. */
  readonly modelContext: number | undefined;
  /** `/api/show`: what its Modelfile asks for. */
  readonly modelfileContext: number | undefined;
  /** `/api/ps`: the window the model is loaded with. */
  readonly loadedContext: number | undefined;
  /** The model runs elsewhere, with the window it has there. */
  readonly remote: boolean;
}

/** What is asked for when nobody said and the model is not loaded: room for an agent's work, at home on a small GPU. */
const DEFAULT_CONTEXT = 32_768;
/** A window that was loaded smaller than this has no room for tools and a task; loading anew once is worth it. */
const SMALLEST_USEFUL = 8_192;

/**
 * Tokens to ask for. What was asked for wins, up to what the model was made for; then what the model is loaded with,
 * if that is enough to work in; then what its Modelfile says; then 32,768 or the model's own size. `undefined`: leave it
 * to the server.
 */
export function chooseContext(facts: WindowFacts): number | undefined {
  const { asked, loadedContext, modelfileContext } = facts;
  const most = facts.modelContext ?? Number.POSITIVE_INFINITY;
  if (facts.remote) return undefined;
  if (asked !== undefined) return Math.min(asked, most);
  if (loadedContext !== undefined && loadedContext >= Math.min(SMALLEST_USEFUL, most)) return loadedContext;
  return Math.min(modelfileContext ?? DEFAULT_CONTEXT, most);
}

export interface CutCheck extends TokenCount {
  /** The window the server gave. */
  readonly context: number;
  /** The request before this one. */
  readonly previous: TokenCount | undefined;
}

/**
 * What speaks for a prompt that the server cut, in words; `undefined` if nothing does. Only a prompt that may have
 * filled the window is suspect. Servers that leave cached tokens out of their count report less for no harm, so a low
 * count alone proves nothing while the estimate fits. A count of 0 means that the server did not say.
 */
export function findCut(check: CutCheck): string | undefined {
  const { estimated, counted, context, previous } = check;
  const says = `it counted ${counted} tokens of a prompt of about ${estimated}, in a window of ${context}`;
  // By the measure of the request before, this one cannot have fitted: yet there was an answer.
  if (previous !== undefined && previous.counted > 0 && correctEstimate(estimated, previous) > context * 1.1)
    return says;
  if (counted === 0 || estimated < context * 0.7) return undefined;
  if (estimated > counted && isCutSize(counted, context)) return says;
  if (estimated > context && counted < estimated * 0.5) return says;
  const fell = previous !== undefined && estimated > previous.estimated && counted < previous.counted * 0.8;
  return fell ? `${says}, fewer than the ${previous.counted} before` : undefined;
}

/**
 * `num_ctx - max((num_ctx - keep) / 2, 1)`: what is left of a prompt that is cut in its middle. `keep` is 4, or 5 for a
 * model with a token that begins every text: 4096 leaves 2050, 32768 leaves 16387.
 */
function isCutSize(counted: number, context: number): boolean {
  return [4, 5].some((keep) => counted === context - Math.max(Math.floor((context - keep) / 2), 1));
}

/** Version in which `truncate: false` came: from there on a prompt that is too long is refused, not cut. */
const TRUNCATE_SINCE = [0, 12, 6] as const;

/** Whether a server of this version refuses what it would have to cut. A version that cannot be read is a new one. */
export function refusesLongPrompts(version: string | undefined): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? "")
    ?.slice(1)
    .map(Number);
  if (parts === undefined) return true;
  // Builds from source call themselves 0.0.0.
  if (parts.every((part) => part === 0)) return true;
  for (const [index, least] of TRUNCATE_SINCE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
