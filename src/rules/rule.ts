// A rule as the rest of the program knows it, after its file was read and its front matter decoded.
//
//   places → load        where rules are, and which of a name is in force
//   front-matter         YAML with positions; simple-yaml: the quick part of it; front-matter-lines: what YAML refuses
//   decode-rule          fields → Rule, with field-reader, scope, condition
//   register             Rule → TtsrRule: what can act in a stream
//   stream, watch        events of a model → fires: watch-prose for blocks, watch-call and json-strings for tool calls
//   ttsr, ttsr-state     the policy: fires → effects; reminder: the text that is injected
//   check, list          what can be said about rules before any text; finding: the codes, examples: their own tests
//   test-rules           rules on texts and old messages; filter: rules on a text that passes

export type ContextMode = "discard" | "keep";
export type InterruptMode = "always" | "prose-only" | "tool-only" | "never";
export type RepeatMode = "once" | "after-gap";
export type RuleSeverity = "error" | "warning";

/** What a rule does: acts in the stream, stands in the system prompt, is listed for reading, or nothing. */
export type RuleBucket = "ttsr" | "always" | "rulebook" | "none";

/** One place that a rule watches. `glob` is matched against the path of the tool call. */
export type RuleScope =
  | { readonly kind: "text" }
  | { readonly kind: "thinking" }
  | { readonly kind: "tool"; readonly tool?: string; readonly glob?: string };

/** Where something stands in a rule's file; line and column from 1, the column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Positions of the values that the file gives, by key: `condition`, and `condition.0` for the first of a list (of the texts
 * in it, of a scope's words); `examples.match.0` below a key. `body` is where the reminder begins.
 */
export type Positions = ReadonlyMap<string, Position>;

export interface Rule {
  /** The file's stem; unique among the rules in force. */
  readonly name: string;
  /** Absolute path of the file. */
  readonly file: string;
  /** For people and the model: relative to the project, or `~/…`; never absolute. */
  readonly displayPath: string;
  /** The place it was found in, as in `--rules`, `.agent/rules`, `.cursor/rules`. */
  readonly source: string;
  readonly bucket: RuleBucket;
  /** Sources of regular expressions; any may match. Flags stand in a leading `(?imsu)` group. */
  readonly conditions: readonly string[];
  readonly scope: readonly RuleScope[];
  readonly globs: readonly string[];
  readonly description: string | undefined;
  readonly alwaysApply: boolean;
  /** Undefined, here and below: as the settings say. */
  readonly interruptMode: InterruptMode | undefined;
  readonly contextMode: ContextMode | undefined;
  readonly repeatMode: RepeatMode | undefined;
  readonly repeatGap: number | undefined;
  readonly severity: RuleSeverity;
  readonly enabled: boolean;
  readonly examples: { readonly match: readonly string[]; readonly pass: readonly string[] };
  /** The reminder. */
  readonly body: string;
  readonly positions: Positions;
}
