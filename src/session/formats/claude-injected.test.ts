import { expect, test } from "bun:test";
import { bashInput, bashOutput } from "./claude-injected.ts";

test("bashInput() and bashOutput() take a command and what it printed out of their elements", () => {
  expect([bashInput(" <bash-input>ls -a</bash-input>\n"), bashInput("ls"), bashOutput("ls")]).toEqual([
    "ls -a",
    undefined,
    undefined,
  ]);
  expect([
    bashOutput("<bash-stdout>one\ntwo</bash-stdout><bash-stderr></bash-stderr>"),
    bashOutput("<bash-stdout>out</bash-stdout> <bash-stderr>bad</bash-stderr>"),
    bashOutput("<bash-stdout>never closed"),
  ]).toEqual(["one\ntwo", "out\nbad", ""]);
});

test("bashOutput() comes to an end with many elements that are never closed", () => {
  expect(bashOutput("<bash-stdout>".repeat(100_000))).toBe("");
});
