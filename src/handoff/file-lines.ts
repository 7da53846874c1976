// Lines of files: the ones changed last in full, the others by name, those that were only read in the evidence alone.

import { plural } from "../base/text.ts";
import { code } from "./facts/clip.ts";
import { isChanged } from "./facts/collect-files.ts";
import type { FileFact } from "./facts/facts.ts";
import { denseLines, type Line, line } from "./line.ts";

/** How many of the files stand on lines of their own in the sections. */
const IN_FULL = 4;

/** Changed files, the latest first; then those that were read. */
export function fileLines(files: readonly FileFact[]): readonly Line[] {
  const changed = files.filter(isChanged);
  const read = files.filter((file) => !isChanged(file));
  return [
    ...changed.map((file, index) =>
      line(
        {
          place: index < IN_FULL ? "done" : undefined,
          group: "Files changed",
          score: 92 - 0.9 * index,
        },
        `${code(file.path)} ${changeText(file)}`,
        file.entryId,
      ),
    ),
    ...denseLines(changed.slice(IN_FULL), {
      perLine: 4,
      where: (index) => ({ place: "done", group: undefined, score: 92 - 0.4 * (IN_FULL + index) }),
      text: (some) => `Also changed: ${some.map(nameText).join(", ")}`,
    }),
    ...read.map((file, index) =>
      line(
        { place: undefined, group: "Files read", score: 52 - 0.5 * index },
        `${code(file.path)}${file.reads > 1 ? ` ${file.reads} times` : ""}`,
        file.entryId,
      ),
    ),
  ];
}

function nameText(file: FileFact): string {
  return file.deleted ? `${code(file.path)} deleted` : code(file.path);
}

function changeText(file: FileFact): string {
  const parts = [
    ...(file.writes > 0 ? [file.writes > 1 ? `written ${file.writes} times` : "written"] : []),
    ...(file.edits > 0 ? [plural(file.edits, "edit")] : []),
    ...(file.deleted ? ["deleted"] : []),
  ];
  return parts.join(", ");
}
