// What a run may do: data only. src/tools/permissions/build.ts makes it from settings and flags, decide.ts judges by it.

/** What is granted or denied lies at or below one of these real, absolute paths; `/` is everything. */
export type PathGrant = readonly string[];

/** Names (of programs, of variables) that are granted or denied. */
export type NameGrant = "all" | readonly string[];

export interface Permissions {
  readonly read: PathGrant;
  readonly write: PathGrant;
  readonly run: NameGrant;
  readonly env: NameGrant;
  /** Whether programs in the sandbox have the network. Without the sandbox nothing holds them back. */
  readonly net: boolean;
  /** Denials win over grants. */
  readonly denyRead: PathGrant;
  readonly denyWrite: PathGrant;
  readonly denyRun: NameGrant;
  /** The program's own store and settings: real paths that are denied unless named. */
  readonly own: readonly string[];
  /** What this run itself keeps or was told by: real paths that may not be written unless named. */
  readonly runFiles: PathGrant;
  /** The file system takes `A` and `a` for the same name (macOS, Windows). */
  readonly foldCase: boolean;
}

/** Everything that a decision needs to know; paths are real and absolute, those of directories end with `/`. */
export type AccessRequest =
  | { readonly permission: "read" | "write"; readonly path: string }
  | { readonly permission: "run"; readonly command: string };

export type PermissionKind = "read" | "write" | "run";

/** `target` is the path, the program or the command; `hint` says how the caller could grant it. */
export interface Denial {
  readonly permission: PermissionKind;
  readonly target: string;
  readonly reason: string;
  readonly hint?: string;
}

/** A call was denied. Caught where tools are run, and turned into a result for the model and an event for the caller. */
export class DeniedError extends Error {
  override readonly name = "DeniedError";
  readonly denial: Denial;

  constructor(denial: Denial) {
    super(renderDenial(denial));
    this.denial = denial;
  }
}

/** The denial as the model and the caller read it. */
export function renderDenial(denial: Denial): string {
  const hint = denial.hint === undefined ? "" : ` (${denial.hint})`;
  return `Permission denied: ${denial.permission} ${denial.target}: ${denial.reason}${hint}`;
}

/** Whether anything of the kind may be done at all: a tool that may do nothing is not offered. */
export function allowsAny(permissions: Permissions, kind: PermissionKind): boolean {
  return permissions[kind].length > 0 && !deniesAll(permissions, kind);
}

/** Whether a denial covers everything of the kind, whatever is granted. */
export function deniesAll({ denyRead, denyWrite, denyRun }: Permissions, kind: PermissionKind): boolean {
  if (kind === "run") return denyRun === "all";
  return (kind === "read" ? denyRead : denyWrite).includes("/");
}
