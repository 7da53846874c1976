// The files that a patch text names: the apply_patch envelope and unified diffs.

/** What happens to a file. A move names the new path in `to`. */
export interface FileChange {
  readonly path: string;
  readonly change: "add" | "update" | "delete" | "move";
  readonly to?: string;
}

/** The files of a patch, in order; empty if the text holds no patch. */
export function patchFiles(text: string): readonly FileChange[] {
  return text.includes("*** ") ? envelopeFiles(text) : diffFiles(text);
}

function envelopeFiles(text: string): readonly FileChange[] {
  const files: FileChange[] = [];
  for (const [, verb = "", path = ""] of text.matchAll(
    /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\r?$/gm,
  )) {
    const last = files.at(-1);
    if (verb !== "Move to") files.push({ path, change: changeOf(verb) });
    else if (last !== undefined) files[files.length - 1] = { path: last.path, change: "move", to: path };
  }
  return files;
}

function changeOf(verb: string): FileChange["change"] {
  if (verb === "Add File") return "add";
  return verb === "Delete File" ? "delete" : "update";
}

function diffFiles(text: string): readonly FileChange[] {
  const files: FileChange[] = [];
  for (const [, before = "", after = ""] of text.matchAll(/^--- (\S.*?)\r?\n\+\+\+ (\S.*?)\r?$/gm)) {
    const [from, to] = [diffPath(before), diffPath(after)];
    if (from === undefined && to !== undefined) files.push({ path: to, change: "add" });
    else if (from !== undefined && to === undefined) files.push({ path: from, change: "delete" });
    else if (to !== undefined) files.push({ path: to, change: "update" });
  }
  return files;
}

/** Without git's `a/`, `b/` and a time stamp behind a tab; undefined for `/dev/null`. */
function diffPath(text: string): string | undefined {
  const path = (text.split("\t")[0] ?? "").replace(/^[ab]\//, "");
  return path === "/dev/null" || path === "" ? undefined : path;
}
