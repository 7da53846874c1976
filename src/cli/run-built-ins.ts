// Commands that stand in the prompt itself. They are caught before anything else is done with it.

export interface BuiltIn {
  readonly name: string;
  /** What may follow, as help shows it. */
  readonly hint: string;
  readonly summary: string;
}

export const BUILT_INS: readonly BuiltIn[] = [
  {
    name: "handoff",
    hint: "[focus instructions]",
    summary: "write a handoff document of the session, and start a new session from it",
  },
];

/** The built-in that a prompt asks for, alone or followed by white space and its arguments. */
export function findBuiltIn(text: string): { readonly name: string; readonly rest: string } | undefined {
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, name, rest = ""] = match;
  const known = BUILT_INS.find((builtIn) => builtIn.name === name);
  return known === undefined ? undefined : { name: known.name, rest: rest.trim() };
}

export function renderBuiltIns(): readonly string[] {
  return BUILT_INS.map(({ name, hint, summary }) => `  /${name} ${hint}  ${summary}`);
}
