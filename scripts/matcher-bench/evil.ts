// Patterns that made a backtracking engine hang, from textbooks and advisories, each with a text that did it.

export interface Evil {
  readonly name: string;
  readonly pattern: string;
  readonly flags?: string;
  readonly text: string;
}

const email =
  "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$";
const cloudflare =
  "(?:(?:\\\"|'|\\]|\\}|\\\\|\\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|\\`|\\-|\\+)+[)]*;?" +
  "((?:\\s|-|~|!|{}|\\|\\||\\+)*.*(?:.*=.*)))";
const ansi =
  "[\\u001B\\u009B][[\\]()#;?]*(?:(?:(?:[a-zA-Z\\d]*(?:;[-a-zA-Z\\d\\/#&.:=?%@~_]*)*)?\\u0007)|" +
  "(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-ntqry=><~]))";
const duration = "^((?:\\d+)?\\.?\\d+) *(milliseconds?|msecs?|ms|s|m|h|d|y)?$";
const member = '"(?:[^"\\\\]|\\\\.)*"\\s*:\\s*"(?:[^"\\\\]|\\\\.)*"!';

export const EVIL: readonly Evil[] = [
  { name: "nested plus", pattern: "^(a+)+$", text: `${"a".repeat(30)}!` },
  { name: "overlapping alternatives", pattern: "^(a|aa)+$", text: `${"a".repeat(40)}!` },
  { name: "nested star", pattern: "(a*)*b", text: "a".repeat(28) },
  { name: "adjacent plus in plus", pattern: "(x+x+)+y", text: "x".repeat(28) },
  {
    name: "Stack Overflow, 2016",
    pattern: "^[\\s\\u200c]+|[\\s\\u200c]+$",
    text: `x${"\u200c".repeat(20_000)}x`,
  },
  { name: "Cloudflare, 2019", pattern: cloudflare, text: `x=${"x".repeat(10)}1${"x".repeat(20_000)}` },
  { name: "OWASP e-mail", pattern: email, text: `${"a".repeat(28)}!` },
  { name: "OWASP Java class", pattern: "^(([a-z])+.)+[A-Z]([a-z])+$", text: "a".repeat(30) },
  { name: "ansi-regex, CVE-2021-3807", pattern: ansi, text: `\u001B[${";".repeat(20_000)}` },
  { name: "ansi-html, CVE-2021-23424", pattern: "\\x1b\\[(\\d+)*m", text: `\x1b[${"0".repeat(28)}` },
  { name: "trim, CVE-2020-7753", pattern: "^\\s*|\\s*$", text: `a${" ".repeat(20_000)}a` },
  { name: "lodash, CVE-2020-28500", pattern: "\\s+$", text: `a${" ".repeat(20_000)}a` },
  {
    name: "nth-check, CVE-2021-3803",
    pattern: "^([+-]?\\d*n)?\\s*(?:([+-]?)\\s*(\\d+))?$",
    text: `n${" ".repeat(20_000)}!`,
  },
  {
    name: "path-to-regexp, CVE-2024-45296",
    pattern: "^\\/flights\\/([^\\/]+?)-([^\\/]+?)\\/?$",
    flags: "i",
    text: `/flights/${"-".repeat(20_000)}/x`,
  },
  { name: "debug, CVE-2017-16137", pattern: "\\s*\\n\\s*", text: `${" ".repeat(20_000)}x` },
  {
    name: "postcss, CVE-2021-23382",
    pattern: "\\/\\*\\s*# sourceMappingURL=(.*)\\s*\\*\\/",
    text: `/*# sourceMappingURL=${" ".repeat(20_000)}!`,
  },
  {
    name: "validator, CVE-2021-3765",
    pattern: "^[^\\s-_](?!.*?[-_]{2,})[a-z0-9-\\\\][^\\s]*[^-_\\s]$",
    text: `a-${"a".repeat(20_000)} `,
  },
  { name: "ms", pattern: duration, flags: "i", text: `${"1".repeat(20_000)}!` },
  { name: "cross-spawn, CVE-2024-21538", pattern: '(?=(\\\\+?)?)\\1"', text: `${"\\".repeat(5000)}x` },
  { name: "quoted members", pattern: member, text: '"a":"b"'.repeat(3000) },
  { name: "tag of words", pattern: "<(?:\\w+\\s*)*\\/>", text: `<${"a".repeat(28)}` },
  { name: "star of lists", pattern: "(?:.*,)*=", text: ",".repeat(26) },
  { name: "three dots", pattern: ".*.*.*=x", text: "=".repeat(2000) },
  { name: "repeated word", pattern: "(\\w+)\\s+\\1!", text: "ab ".repeat(3000) },
  { name: "backreference to a star", pattern: "^(?:(a*)*)\\1b", text: "a".repeat(30) },
];
