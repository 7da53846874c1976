import { describe, expect, test } from "bun:test";
import { AppError } from "../base/errors.ts";
import type { FlagSpec } from "./command.ts";
import { parseFlags } from "./flags.ts";

const SPECS: readonly FlagSpec[] = [
  { name: "session", value: { kind: "text", placeholder: "<session>" }, help: "" },
  { name: "no-session", value: { kind: "switch" }, help: "" },
  {
    name: "allow-write",
    value: { kind: "text", placeholder: "<paths>", optional: true },
    help: "",
    looksLikeValue: (word, { cwd }) => word === `${cwd}/src`,
  },
  { name: "rules", value: { kind: "text", placeholder: "<dir>", repeatable: true }, help: "" },
  { name: "retries", value: { kind: "integer", placeholder: "<n>", min: 0 }, help: "" },
  { name: "max-time", value: { kind: "duration", placeholder: "<duration>" }, help: "" },
  { name: "think", value: { kind: "choice", choices: ["off", "on"] }, help: "" },
  { name: "quiet", short: "q", value: { kind: "switch" }, help: "" },
  { name: "verbose", short: "v", value: { kind: "switch" }, help: "" },
];

const parse = (...argv: string[]) =>
  parseFlags(argv, SPECS, { help: "agent x --help lists its flags.", place: { cwd: "/w", env: {} } });

async function failure(...argv: string[]): Promise<string> {
  try {
    await parse(...argv);
  } catch (error) {
    if (error instanceof AppError && error.kind === "usage")
      return [error.message, error.hint].filter(Boolean).join(" | ");
    throw error;
  }
  return "no error";
}

describe("parseFlags()", () => {
  test("keeps values as text", async () => {
    for (const value of ["1e5", "00123", "true", "", "a b", "0x10"]) {
      expect((await parse("--session", value)).flags.text("session")).toBe(value);
      expect((await parse(`--session=${value}`)).flags.text("session")).toBe(value);
    }
  });

  test("does not let an optional value swallow the next word", async () => {
    const { flags, args } = await parse("--allow-write", "fix", "it");
    expect(flags.has("allow-write")).toBe(true);
    expect(flags.text("allow-write")).toBeUndefined();
    expect(args).toEqual(["fix", "it"]);
    expect((await parse("--allow-write=src", "fix")).flags.text("allow-write")).toBe("src");
  });

  test("refuses a value that follows a space where it must follow =, and only there", async () => {
    expect(await failure("--allow-write", "/w/src", "fix")).toBe(
      '--allow-write takes its value after "=", but "/w/src" follows a space | ' +
        "If that is the value: --allow-write=/w/src. If it is the prompt: put it before the flag, or after --.",
    );
    for (const line of [
      ["--allow-write", "--", "/w/src"],
      ["/w/src", "--allow-write"],
      ["--allow-write=x", "/w/src"],
      ["--allow-write", "-q", "/w/src"],
    ])
      expect((await parse(...line)).args).toEqual(["/w/src"]);
  });

  test("keeps --no-session and --session apart", async () => {
    const absent = (await parse()).flags;
    expect([absent.has("session"), absent.has("no-session")]).toEqual([false, false]);
    const given = (await parse("--session", "x")).flags;
    expect([given.has("session"), given.has("no-session")]).toEqual([true, false]);
  });

  test("keeps a bare dash and everything after -- as positional", async () => {
    expect((await parse("-", "-q", "--", "--session", "-x")).args).toEqual(["-", "--session", "-x"]);
  });

  test("reads grouped short flags", async () => {
    const { flags } = await parse("-qv");
    expect([flags.has("quiet"), flags.has("verbose")]).toEqual([true, true]);
  });

  test("collects repeatable flags in order", async () => {
    expect((await parse("--rules", "a", "--rules=b")).flags.list("rules")).toEqual(["a", "b"]);
  });

  test("reads durations in milliseconds and whole numbers", async () => {
    const { flags } = await parse("--max-time", "1h30m", "--retries", "3");
    expect([flags.duration("max-time"), flags.integer("retries")]).toEqual([5_400_000, 3]);
  });

  test("refuses what is wrong and names it", async () => {
    expect(await failure("--sesion", "x")).toBe("unknown flag --sesion | Did you mean --session?");
    expect(await failure("-z")).toBe("unknown flag -z | agent x --help lists its flags.");
    expect(await failure("--session")).toBe("--session needs a value: --session <session>");
    expect(await failure("--session", "--quiet")).toBe(
      '--session needs a value, but "--quiet" follows | If that is the value: --session=--quiet',
    );
    expect(await failure("--quiet=yes")).toBe('--quiet takes no value, but got "yes"');
    expect(await failure("--session", "a", "--session", "b")).toBe("--session was given twice");
    expect(await failure("--retries", "many")).toBe('--retries: "many" is not a whole number of at least 0');
    expect(await failure("--max-time", "soon")).toBe(
      '--max-time: "soon" is not a duration such as 500ms, 30s, 5m or 1h30m',
    );
    for (const value of ["", ",", " "])
      expect(await failure(`--allow-write=${value}`)).toBe(
        "--allow-write= has an empty value | Without a value: --allow-write",
      );
    expect(await failure("--think", "hard")).toBe('--think: "hard" is not one of off, on');
    expect(await failure("--think", "onn")).toBe('--think: "onn" is not one of off, on | Did you mean on?');
  });
});
