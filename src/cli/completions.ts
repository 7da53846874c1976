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

function renderBash(commands: readonly LoadedCommand[]): string {
  const { first, groups } = wordsOf(commands);
  const subs = [...groups].filter(([, words]) => words.length > 0);
  const choices = new Map(
    commands
      .flatMap(flagsOf)
      .flatMap((flag) => (flag.value.kind === "choice" ? [[flag.name, flag.value.choices] as const] : [])),
  );
  const outputs = commands.flatMap((command) =>
    flagsOf(command).flatMap((flag) =>
      flag.name === "output" && flag.value.kind === "choice"
        ? [`    "${command.name} --output") choices="${flag.value.choices.join(" ")}" ;;`]
        : [],
    ),
  );
  choices.delete("output");
  return `# bash completion for agent
_agent() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= words=() word choices= flags=
  [ "$cur" = "=" ] && cur=
  if [ "$prev" = "=" ]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) words+=("$word") ;; esac
  done
  command=\${words[0]-}
  case $command in
${subs.map(([group, words]) => `    ${group})\n      if [ \${#words[@]} -lt 2 ]; then COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$cur")); return; fi\n      command="$command \${words[1]}" ;;`).join("\n")}
    "") COMPREPLY=($(compgen -W "${first.join(" ")} --help --version" -- "$cur")); return ;;
  esac
  case "$command $prev" in
${outputs.join("\n")}
${[...choices].map(([name, values]) => `    *" --${name}") choices="${values.join(" ")}" ;;`).join("\n")}
  esac
  if [ -n "$choices" ]; then COMPREPLY=($(compgen -W "$choices" -- "$cur")); return; fi
  case $command in
${commands
  .map(
    (command) =>
      `    "${command.name}") flags="${flagsOf(command)
        .map((flag) => `--${flag.name}`)
        .join(" ")}" ;;`,
  )
  .join("\n")}
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
    *) compopt -o default 2>/dev/null; COMPREPLY=() ;;
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
    for (const flag of flagsOf(command)) lines.push(renderFishFlag(flag, condition));
  }
  return `${lines.join("\n")}\n`;
}

function renderFishFlag(flag: FlagSpec, condition: string): string {
  const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
  const takesWord =
    flag.value.kind !== "switch" && !(flag.value.kind === "text" && flag.value.optional === true);
  const value =
    flag.value.kind === "choice" ? ` -x -a ${quote(flag.value.choices.join(" "))}` : takesWord ? " -r" : "";
  return `complete -c agent -n ${quote(condition)} -l ${flag.name}${short}${value} -d ${quote(flag.help)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
