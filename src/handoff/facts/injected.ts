// What stands in a user message without being the user's words: notices, reminders, environment blocks and command
// echoes that agents put there. Only the rest counts as a request or a constraint.

/** The beginning of a block in tags whose name no person types: `<system-reminder>…`, `<environment_context>…`. */
const INJECTED_TAG =
  /<(system-reminder|environment_context|environment_details|user_instructions|turn_aborted|subagent_notification|task-notification|local-command-[a-z]+|bash-(?:stdout|stderr|input)|ide_[a-z_]+|user-prompt-submit-hook|current_datetime|system_reminder|system-interrupt|handoff-context|INSTRUCTIONS|skills?_instructions|permissions instructions|collaboration_mode|app-context|session_context|reminder)(?:\s[^>]*)?>/g;

/** Texts that are injected as a whole, by how they begin. What a person may paste is not among them. */
const INJECTED_START =
  /^\s*(?:# AGENTS\.md instructions for |\[Request interrupted by user|\[Image: |This session is being continued from a previous conversation|Caveat: The messages below were generated|The above is a handoff document|<command-stdout>)/;

/** What `agent run @file` and pi put behind the words of a prompt, down to `</file>`. */
const ATTACHED = /<file (?:path|name)="([^"\n]*)">\n/g;

const COMMAND_NAME = /<command-name>\s*([\s\S]*?)\s*<\/command-name>/;
const COMMAND_ARGS = /<command-args>\s*([\s\S]*?)\s*<\/command-args>/;
const COMMAND_TAGS = /<(command-(?:name|message|args|contents))>[\s\S]*?(?:<\/\1>|$)/g;

/**
 * The user's own words in a user message; empty where there are none. A slash command is given as it was typed, an
 * attached file by its name, unless nothing else was said.
 */
export function userWords(text: string): string {
  if (INJECTED_START.test(text)) return "";
  if (!text.includes("<")) return text.trim();
  const name = COMMAND_NAME.exec(text)?.[1];
  if (name !== undefined) {
    const typed = `${name.startsWith("/") ? name : `/${name}`} ${COMMAND_ARGS.exec(text)?.[1] ?? ""}`.trim();
    const rest = withoutBlocks(text.replace(COMMAND_TAGS, "")).trim();
    return rest === "" ? typed : `${typed}\n${rest}`;
  }
  const own = withoutBlocks(text).trim();
  return INJECTED_START.test(own) ? "" : withoutFiles(own);
}

/** A tag that nothing closes begins a block only where the text begins with it; elsewhere somebody speaks of the tag. */
function withoutBlocks(text: string): string {
  const unclosed = new Set<string>();
  let kept = "";
  let at = 0;
  for (const { index, 0: tag, 1: name = "" } of text.matchAll(INJECTED_TAG)) {
    if (index < at || unclosed.has(name)) continue;
    const end = text.indexOf(`</${name}>`, index + tag.length);
    if (end < 0 && (kept + text.slice(at, index)).trim() === "") return "";
    if (end < 0) unclosed.add(name);
    else {
      kept += text.slice(at, index);
      at = end + name.length + 3;
    }
  }
  return kept + text.slice(at);
}

function withoutFiles(text: string): string {
  let said = "";
  let kept = "";
  let at = 0;
  for (const { index, 1: path = "" } of text.matchAll(ATTACHED)) {
    if (index < at) continue;
    const end = text.indexOf("\n</file>", index);
    if (end < 0) break;
    said += text.slice(at, index);
    kept += `${text.slice(at, index)}@${path}`;
    at = end + "\n</file>".length;
  }
  return (said + text.slice(at)).trim() === "" ? text : kept + text.slice(at);
}

/** A command of the agent's own screen (`/model`, `/clear`), typed alone: nothing was asked for. */
export function isBareSlash(words: string): boolean {
  return /^\/[a-z][\w:-]*$/i.test(words) || /^\/$/.test(words);
}
