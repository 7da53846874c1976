// `agent completions <shell>`: a completion script made from the same tables that parse the command line.

import { AppError } from "../base/errors.ts";
import type { Command, FlagSpec, LoadedCommand } from "./command.ts";
import { EXIT_OK } from "./exit.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export const completionsCommand: Command = {
  flags: [],
  examples: [
    {
      line: "agent completions bash > ~/.local/share/bash-completion/completions/agent",
      does: "install for bash",
    },
    { line: "agent completions fish | source", does: "try it in this fish" },
  ],
  exitCodes: [],
  async run({ args, io, loadCommands }) {
    const [shell, ...rest] = args;
    const known = SHELLS.find((name) => name === shell);
    if (known === undefined || rest.length > 0) {
      throw new AppError(
        "usage",
        `completions needs one of: ${SHELLS.join(", ")}${shell === undefined ? "" : `, not "${args.join(" ")}"`}`,
      );
    }
    await io.stdout.write(renderCompletions(known, await loadCommands()));
    return EXIT_OK;
  },
};

/** The script for one shell. Commands and flags stand in the order of their tables. */
export function renderCompletions(
  shell: (typeof SHELLS)[number],
  commands: readonly LoadedCommand[],
): string {
  switch (shell) {
    case "bash":
      return renderBash(commands);
    case "zsh":
      return `#compdef agent\nautoload -U +X bashcompinit && bashcompinit\n${renderBash(commands)}`;
    case "fish":
      return renderFish(commands);
  }
}

/** First words, and for each group its second words. */
function wordsOf(commands: readonly LoadedCommand[]): {
  readonly first: readonly string[];
  readonly groups: ReadonlyMap<string, readonly string[]>;
} {
  const groups = new Map<string, string[]>();
  for (const { name } of commands) {
    const [group = "", word] = name.split(" ");
    groups.set(group, [...(groups.get(group) ?? []), ...(word === undefined ? [] : [word])]);
  }
  return { first: [...groups.keys()], groups };
}

function flagsOf({ command }: LoadedCommand): readonly FlagSpec[] {
  return [...command.flags, ...GLOBAL_FLAGS];
}

/** Takes its value from the next word: not a switch, and not one whose value is optional. */
function takesWord({ value }: FlagSpec): boolean {
  return value.kind !== "switch" && !(value.kind === "text" && value.optional === true);
}

/** The words of a command's one argument, if its usage names them: `<bash|zsh|fish>`. */
function argumentChoices({ usage }: LoadedCommand): readonly string[] {
  return /^<(\w+(?:\|\w+)+)>$/.exec(usage)?.[1]?.split("|") ?? [];
}

/** Whether a command's argument or a flag's value is a session: `latest`, a path or an id. */
function isSession(placeholder: string): boolean {
  return placeholder.startsWith("<session>");
}

function takesSession({ value }: FlagSpec): boolean {
  return value.kind === "text" && isSession(value.placeholder);
}

/** One arm of a bash `case`. */
function arm(pattern: string, body: string): string {
  return `    ${pattern}) ${body} ;;\n`;
}

const offer = (words: readonly string[]) => `_agent_offer "${words.join(" ")}"; return`;

/** What may follow a first word before any flag of the command: the words of a group, or an argument's choices. */
function secondWordArms(commands: readonly LoadedCommand[]): string {
  const { first, groups } = wordsOf(commands);
  const second = [...groups].filter(([, words]) => words.length > 0);
  const choices = commands.flatMap((command) => {
    const words = argumentChoices(command);
    return words.length === 0 ? [] : [[`${command.name} `, words] as const];
  });
  return [
    ...second.map(([group, words]) => [`${group} `, words] as const),
    ...choices,
    ["help ", first] as const,
  ]
    .map(([word, words]) => arm(`"${word}"`, `case $cur in -*) ;; *) ${offer(words)} ;; esac`))
    .join("");
}

function choiceArms(commands: readonly LoadedCommand[]): string {
  const outputs = commands.flatMap((command) =>
    flagsOf(command).flatMap(({ name, value }) =>
      name === "output" && value.kind === "choice"
        ? [arm(`"${command.name} --output"`, offer(value.choices))]
        : [],
    ),
  );
  const others = new Map(
    commands
      .flatMap(flagsOf)
      .flatMap(({ name, value }) =>
        value.kind === "choice" && name !== "output" ? [[name, value.choices] as const] : [],
      ),
  );
  const sessions = new Set(
    commands
      .flatMap(flagsOf)
      .filter(takesSession)
      .map(({ name }) => name),
  );
  return [
    ...outputs,
    ...[...others].map(([name, words]) => arm(`*" --${name}"`, offer(words))),
    ...[...sessions].map((name) => arm(`*" --${name}"`, "_agent_session; return")),
  ].join("");
}

function renderBash(commands: readonly LoadedCommand[]): string {
  const { first, groups } = wordsOf(commands);
  const names = (flags: readonly FlagSpec[]) => flags.map((flag) => `--${flag.name}`);
  const grouped = [...groups].filter(([, words]) => words.length > 0).map(([group]) => group);
  const ofSessions = commands.filter(({ usage }) => isSession(usage)).map(({ name }) => `"${name}",*`);
  return `# bash completion for agent
_agent_offer() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_agent_session() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W latest -- "$cur") $(compgen -f -- "$cur"))
  compopt -o filenames 2>/dev/null
}
_agent() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= words=() word skip= flags=
  [ "$cur" = "=" ] && cur=
  [ "$prev" = "=" ] && prev=\${COMP_WORDS[COMP_CWORD-2]}
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $skip$word in
      x=) ;;
      x*) skip= ;;
      ${names(GLOBAL_FLAGS.filter(takesWord)).join("|")}) skip=x ;;
      -*) ;;
      *) words+=("$word") ;;
    esac
  done
  command=\${words[0]-}
  case $command in ${grouped.join("|")}) command="$command \${words[1]-}" ;; esac
  case "$command $prev" in
${choiceArms(commands)}  esac
  [ -n "$skip" ] && { compopt -o default 2>/dev/null; return; }
  case "\${words[0]-} \${words[1]-}" in
${secondWordArms(commands)}  esac
  case $command in
${arm('""', `flags="${[...first, "--help", "--version"].join(" ")}"`)}${commands.map((command) => arm(`"${command.name}"`, `flags="${names(flagsOf(command)).join(" ")}"`)).join("")}  esac
  case $command,$cur in
    ,*|*,-*) _agent_offer "$flags" ;;
    ${ofSessions.join("|")}) _agent_session ;;
    *) compopt -o default 2>/dev/null ;;
  esac
}
complete -F _agent agent
`;
}

function renderFish(commands: readonly LoadedCommand[]): string {
  const { first, groups } = wordsOf(commands);
  const summary = new Map(commands.map((command) => [command.name, command.summary]));
  const lines = ["# fish completion for agent"];
  const top = `not __fish_seen_subcommand_from ${first.join(" ")}`;
  for (const word of first) {
    const text = summary.get(word) ?? (groups.get(word) ?? []).join(", ");
    lines.push(`complete -c agent -f -n ${quote(top)} -a ${word} -d ${quote(text)}`);
  }
  for (const [group, words] of groups) {
    const condition = `__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${words.join(" ")}`;
    for (const word of words) {
      lines.push(
        `complete -c agent -f -n ${quote(condition)} -a ${word} -d ${quote(summary.get(`${group} ${word}`) ?? "")}`,
      );
    }
  }
  for (const command of commands) {
    const condition = command.name
      .split(" ")
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join("; and ");
    if (isSession(command.usage))
      lines.push(`complete -c agent -n ${quote(condition)} -a latest -d ${quote("the newest session here")}`);
    for (const flag of flagsOf(command)) lines.push(renderFishFlag(flag, condition));
  }
  return `${lines.join("\n")}\n`;
}

function renderFishFlag(flag: FlagSpec, condition: string): string {
  const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
  const value =
    flag.value.kind === "choice"
      ? ` -x -a ${quote(flag.value.choices.join(" "))}`
      : takesWord(flag)
        ? ` -r${takesSession(flag) ? " -a latest" : ""}`
        : "";
  return `complete -c agent -n ${quote(condition)} -l ${flag.name}${short}${value} -d ${quote(flag.help)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
