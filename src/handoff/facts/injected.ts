// What stands in a user message without being the user's words: notices, reminders, environment blocks and command
// echoes that agents put there. Only the rest counts as a request or a constraint.

/** A block in tags whose name no person types: `<system-reminder>…</system-reminder>`, `<environment_context>…`. */
const INJECTED_BLOCK =
  /<(system-reminder|environment_context|environment_details|user_instructions|turn_aborted|subagent_notification|task-notification|local-command-[a-z]+|bash-(?:stdout|stderr|input)|ide_[a-z_]+|user-prompt-submit-hook|current_datetime|system_reminder|system-interrupt|handoff-context|INSTRUCTIONS|skills?_instructions|permissions instructions|collaboration_mode|app-context|session_context|reminder)(?:\s[^>]*)?>[\s\S]*?(?:<\/\1>|$)/g;

/** Texts that are injected as a whole, by how they begin. */
const INJECTED_START =
  /^\s*(?:# AGENTS\.md instructions|# CLAUDE\.md|\[Request interrupted by user|\[Image: |This session is being continued from|Caveat: The messages below|The above is a handoff document|<command-stdout>|API Error:|Unknown (?:slash )?command:|\[SYSTEM|System: )/i;

const COMMAND_NAME = /<command-name>\s*([\s\S]*?)\s*<\/command-name>/;
const COMMAND_ARGS = /<command-args>\s*([\s\S]*?)\s*<\/command-args>/;
const COMMAND_TAGS = /<(command-(?:name|message|args|contents))>[\s\S]*?(?:<\/\1>|$)/g;

/** The user's own words in a user message; empty where there are none. A slash command is given as it was typed. */
export function userWords(text: string): string {
  if (INJECTED_START.test(text)) return "";
  if (!text.includes("<")) return text.trim();
  const name = COMMAND_NAME.exec(text)?.[1];
  if (name !== undefined) {
    const typed = `${name.startsWith("/") ? name : `/${name}`} ${COMMAND_ARGS.exec(text)?.[1] ?? ""}`.trim();
    const rest = text.replace(COMMAND_TAGS, "").replace(INJECTED_BLOCK, "").trim();
    return rest === "" ? typed : `${typed}\n${rest}`;
  }
  const own = text.replace(INJECTED_BLOCK, "").trim();
  return INJECTED_START.test(own) ? "" : own;
}

/** A command of the agent's own screen (`/model`, `/clear`), typed alone: nothing was asked for. */
export function isBareSlash(words: string): boolean {
  return /^\/[a-z][\w:-]*$/i.test(words) || /^\/$/.test(words);
}
