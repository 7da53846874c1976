// `agent rules filter` through the binary: latency, the three modes, limits, and a reader that goes away.

import { describe, expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { rulesPlace, ruleText } from "../testing/rules-command.ts";
import { AGENT_BINARY, type RunningAgent } from "../testing/spawn.ts";
import { until } from "../testing/until.ts";

const RULES = {
  key: ruleText("condition: 'key-\\d{4}'", "Never print keys."),
  word: ruleText("condition: '\\bnever\\b'\nseverity: warning"),
};

/** Waits until stdout has as much as this text, and expects it to be that. */
async function untilOut(agent: RunningAgent, text: string): Promise<void> {
  await until(() => agent.stdout().length >= text.length);
  expect(agent.stdout()).toBe(text);
}

describe("rules filter", () => {
  test("passes what no rule matches unchanged, bytes that are not UTF-8 too", async () => {
    using place = rulesPlace(RULES);
    const text = Buffer.concat([
      Buffer.from("\ufeffa\r\n😀 key-12 \u2028"),
      Buffer.from([0xff, 0xc3, 0x00, 0xe2]),
    ]);
    const file = `${place.dir.path}/in.bin`;
    place.dir.write("in.bin", text);
    const { stdout, status } = spawnSync("sh", ["-c", '"$0" rules filter < "$1"', AGENT_BINARY, file], {
      cwd: place.dir.path,
      env: { PATH: process.env["PATH"], HOME: place.dir.path },
    });
    expect({ stdout: Buffer.from(stdout), status }).toEqual({ stdout: text, status: 0 });
  });

  test("writes at once what no rule can claim, and holds the rest until it is decided", async () => {
    using place = rulesPlace(RULES);
    const agent = place.start(["filter"], "one two key-1");
    await untilOut(agent, "one two ");
    await agent.endStdin("2x three");
    expect(await agent.result).toEqual({
      code: 0,
      signal: null,
      stdout: "one two key-12x three",
      stderr: "",
    });
  });

  test("stops before a match while stdin is still open, and says why", async () => {
    using place = rulesPlace(RULES);
    const agent = place.start(["filter"], "I never\nsay key-1234 and so on");
    expect(await agent.result).toEqual({
      code: 7,
      signal: null,
      stdout: "I never\nsay ",
      stderr: [
        'agent: warning: rule "word" (.agent/rules/word.md) matched before line 2, column 1 and passed',
        'agent: Stopped by rule "key" (.agent/rules/key.md) at line 2, column 5',
        "agent: Never print keys.",
        "",
      ].join("\n"),
    });
  });

  test("redacts every match and exits 0", async () => {
    using place = rulesPlace(RULES);
    const result = await place.rules(["filter", "--on-match", "redact"], "key-1234, key-5678key-9999 key-1");
    expect(result).toEqual({
      code: 0,
      signal: null,
      stdout: "[rule:key], [rule:key][rule:key] key-1",
      stderr: "",
    });
  });

  test("warns, lets everything pass, and exits 7 at the end for an error only", async () => {
    using place = rulesPlace(RULES);
    const bad = await place.rules(["filter", "--on-match", "warn"], "never key-1234.");
    expect({ code: bad.code, stdout: bad.stdout }).toEqual({ code: 7, stdout: "never key-1234." });
    const mild = await place.rules(["filter", "--on-match", "warn"], "never!");
    expect({ code: mild.code, stdout: mild.stdout }).toEqual({ code: 0, stdout: "never!" });
  });

  test("ends with 7 when too much would have to be held, and writes nothing of it", async () => {
    using place = rulesPlace({ open: ruleText("condition: 'BEGIN[^]*END'") });
    const text = `before BEGIN${"x".repeat(5_000)}`;
    expect(await place.rules(["filter", "--max-hold", "4k"], text)).toEqual({
      code: 7,
      signal: null,
      stdout: "before ",
      stderr: expect.stringContaining("More than 4096 bytes would have to be held back"),
    });
    expect(await place.rules(["filter"], text)).toMatchObject({ code: 0, stdout: text });
  });

  test("ends with 1 when a rule gives up, and lets nothing out that it did not look at", async () => {
    using place = rulesPlace({ evil: ruleText("condition: '(?:(a+)+\\1)+b'") });
    const text = `so ${"a".repeat(3_000)}cb`;
    expect(await place.rules(["filter"], text)).toEqual({
      code: 1,
      signal: null,
      // No match can begin before the first a.
      stdout: "so ",
      stderr: expect.stringMatching(
        /^agent: Rule "evil" .* gave up at offset \d+: its pattern costs too much\n/,
      ),
    });
  });

  test("ends with 141 and no word when the reader goes away", async () => {
    using place = rulesPlace(RULES);
    const script = '{ yes "some text" | "$0" rules filter; echo $? >&2; } | head -c 100000 > /dev/null';
    const { stderr } = spawnSync("sh", ["-c", script, AGENT_BINARY], {
      cwd: place.dir.path,
      env: { PATH: process.env["PATH"], HOME: place.dir.path },
      encoding: "utf8",
    });
    expect(stderr).toBe("141\n");
  });

  test.skipIf(!existsSync("/proc/self/status"))(
    "needs no more memory for more text",
    async () => {
      using place = rulesPlace(RULES);
      const child = spawn(AGENT_BINARY, ["rules", "filter"], {
        cwd: place.dir.path,
        env: { PATH: process.env["PATH"], HOME: place.dir.path },
        stdio: ["pipe", "ignore", "inherit"],
      });
      const megabyte = "some text that passes, key-12\n".repeat(35_000);
      const send = async (count: number): Promise<number> => {
        for (let index = 0; index < count; index++) {
          await new Promise((resolve) => child.stdin.write(megabyte, resolve));
        }
        const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
        return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
      };
      // The heap grows to its size over the first megabytes, and by far less than the text after that.
      const afterFew = await send(24);
      const afterMany = await send(48);
      child.stdin.end();
      expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
      expect(afterMany - afterFew).toBeLessThan(32);
    },
    60_000,
  );

  test.each([
    [["--max-hold", "lots"], "is not a size"],
    [["--on-match", "drop"], "is not one of stop, redact, warn"],
    [["file.txt"], "agent rules filter < file.txt"],
  ])("%j is a usage error", async (args, words) => {
    using place = rulesPlace(RULES);
    const { code, stdout, stderr } = await place.rules(["filter", ...args], "text");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
  });
});
