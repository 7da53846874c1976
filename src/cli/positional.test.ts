import { expect, test } from "bun:test";
import { AppError } from "../base/errors.ts";
import { refuseExtraArguments } from "./positional.ts";

function refusal(usage: string, args: readonly string[]): string | undefined {
  try {
    refuseExtraArguments("doctor", usage, args);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.kind === "usage") return error.message;
    throw error;
  }
}

test("refuseExtraArguments() counts the places of a usage line", () => {
  expect(
    [
      ["", []],
      ["", ["-"]],
      ["<session>", ["a"]],
      ["[path...]", ["a", "b", "c"]],
      ["[prompt...] [@file...]", ["a", "b"]],
      ["[file|-]", []],
    ].map(([usage, args]) => refusal(String(usage), [...(args ?? [])])),
  ).toEqual([undefined, undefined, undefined, undefined, undefined, undefined]);
});

test("refuseExtraArguments() names the first word that has no place", () => {
  expect([refusal("", ["now"]), refusal("<session>", ["a", "b", "c"])]).toEqual([
    'doctor takes no arguments, but got "now"',
    'doctor takes <session>, but got "b" too',
  ]);
});
