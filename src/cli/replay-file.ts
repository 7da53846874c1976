// The model that is a recording: `replay:<file>`.

import { resolve } from "node:path";

const REPLAY = "replay:";

/** The file of `replay:<file>`, absolute; `undefined` for any other model. */
export function replayFile(model: string, cwd: string): string | undefined {
  return model.startsWith(REPLAY) ? resolve(cwd, model.slice(REPLAY.length)) : undefined;
}
