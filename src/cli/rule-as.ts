// `--as`: what a text is taken for, so that rules with a scope can be tried on it.

import { AppError } from "../base/errors.ts";
import type { RuleScope } from "../rules/rule.ts";
import { parseScope } from "../rules/scope.ts";
import type { CommandContext, FlagSpec } from "./command.ts";

export const AS_FLAG: FlagSpec = {
  name: "as",
  value: { kind: "text", placeholder: "<stream>" },
  default: "text",
  help: "what the text is: text, thinking, tool:NAME or tool:NAME(PATH)",
};

/** The stream that `--as` names. Throws `AppError` (`usage`) for anything else. */
export function streamAs({ flags }: CommandContext): RuleScope {
  const word = flags.text("as") ?? "text";
  const scope = parseScope(word);
  if (scope !== undefined && (scope.kind !== "tool" || scope.tool !== undefined)) return scope;
  throw new AppError("usage", `--as: "${word}" is not a stream`, {
    hint: "Write text, thinking, tool:write or tool:write(src/a.ts).",
  });
}
