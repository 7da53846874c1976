// The context window: which `num_ctx` to ask for, and whether the server kept to it. One value for the whole run,
// because every change makes the server load the model again.

export interface WindowFacts {
  /** From a flag or the settings. */
  readonly asked: number | undefined;
  /** `/api/show`: the most the model was made for. */
  readonly modelContext: number | undefined;
  /** `/api/ps`: the window the model is loaded with. */
  readonly loadedContext: number | undefined;
  /** The model runs elsewhere, with the window it has there. */
  readonly remote: boolean;
}

/** What is asked for when nobody said and the model is not loaded: room for an agent's work, at home on a small GPU. */
export const DEFAULT_CONTEXT = 32_768;
/** A window that was loaded smaller than this has no room for tools and a task; loading anew once is worth it. */
const SMALLEST_USEFUL = 8_192;

/**
 * Tokens to ask for. What was asked for wins, up to what the model was made for; then what the model is loaded with,
 * if that is enough to work in; then 32,768 or the model's own size. `undefined`: leave it to the server.
 */
export function chooseContext(facts: WindowFacts): number | undefined {
  const most = facts.modelContext ?? Number.POSITIVE_INFINITY;
  if (facts.remote) return undefined;
  if (facts.asked !== undefined) return Math.min(facts.asked, most);
  const { loadedContext } = facts;
  if (loadedContext !== undefined && loadedContext >= Math.min(SMALLEST_USEFUL, most)) return loadedContext;
  return Math.min(DEFAULT_CONTEXT, most);
}
