import { expect, test } from "bun:test";
import { codexOutput, cwdInEnvironment, reasoningText, userShellCommand } from "./codex-content.ts";

const text = (value: string) => [{ type: "text" as const, text: value }];

test("codexOutput() reads an output in each of its forms", () => {
  expect([
    codexOutput("plain"),
    codexOutput('{"output":"bad\\n","metadata":{"exit_code":1,"duration_seconds":0.2}}'),
    codexOutput({ content: "inner", success: false }),
    codexOutput([
      { type: "input_text", text: "one" },
      { type: "input_image", image_url: "data:image/png;base64,AAAA" },
    ]),
    codexOutput("Exit code: 3\nOutput:\nx"),
    codexOutput(undefined),
    codexOutput('{"output" torn'),
    codexOutput([{ type: "input_audio", data: "AAAA" }, "text", 7]),
  ]).toEqual([
    { content: text("plain"), isError: false, details: undefined },
    { content: text("bad\n"), isError: true, details: { exitCode: 1 } },
    { content: text("inner"), isError: true, details: undefined },
    {
      content: [...text("one"), { type: "image", mimeType: "image/png", data: "AAAA" }],
      isError: false,
      details: undefined,
    },
    { content: text("Exit code: 3\nOutput:\nx"), isError: true, details: { exitCode: 3 } },
    { content: [], isError: false, details: undefined },
    { content: text('{"output" torn'), isError: false, details: undefined },
    { content: [...text("[input_audio, left out]"), ...text("text")], isError: false, details: undefined },
  ]);
});

test("reasoningText() takes the whole where it is there, else the summary, and nothing of what is encrypted", () => {
  const part = (value: string) => ({ type: "summary_text", text: value });
  expect([
    reasoningText({ summary: [part("short")], content: [part("long")] }),
    reasoningText({ summary: [part("a"), part("b")], content: null }),
    reasoningText({ summary: [], encrypted_content: "gAAA" }),
  ]).toEqual(["long", "a\n\nb", ""]);
});

test("userShellCommand() reads a command that the user ran, and how it ended", () => {
  const text =
    "<user_shell_command>\n<command>\nls -la\n</command>\n<result>\nExit code: 2\nDuration: 0.1 seconds\nOutput:\nno\nsuch\n</result>\n</user_shell_command>";
  expect([userShellCommand(text), userShellCommand("<user_shell_command>"), userShellCommand("ls")]).toEqual([
    { command: "ls -la", output: "no\nsuch", exitCode: 2 },
    undefined,
    undefined,
  ]);
});

test("cwdInEnvironment() reads both forms of the block", () => {
  expect([
    cwdInEnvironment("<environment_context>\n  <cwd>/srv/a b</cwd>\n</environment_context>"),
    cwdInEnvironment("<environment_context>\nCurrent working directory: /srv/c\nApproval policy: never\n"),
    cwdInEnvironment("<environment_context>\n</environment_context>"),
  ]).toEqual(["/srv/a b", "/srv/c", undefined]);
});
