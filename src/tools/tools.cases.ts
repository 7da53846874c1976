// What the tools promise about files and processes, in every runtime: the low-level calls differ between them.

import { deepStrictEqual, ok } from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Case } from "../testing/cases.ts";
import { type ToolPlace, toolPlace } from "../testing/tool-place.ts";
import { readAll } from "./files/content.ts";
import { openFile } from "./files/open.ts";
import { writeWholeFile } from "./files/write.ts";

/** A case with the tools of a directory where everything inside is granted. */
function inPlace(name: string, run: (place: ToolPlace) => Promise<void> | void): Case {
  return {
    name,
    run: async () => {
      using place = await toolPlace({ grants: { write: true, run: true } });
      await run(place);
    },
  };
}

export const TOOL_CASES: readonly Case[] = [
  inPlace("write, edit and read work together", async (place) => {
    deepStrictEqual(
      await place.text("write", { path: "a/b.txt", content: "one\ntwo\n" }),
      "Created a/b.txt (8 bytes)",
    );
    deepStrictEqual(
      await place.text("edit", { path: "a/b.txt", oldText: "two", newText: "2" }),
      "Edited a/b.txt at line 2",
    );
    deepStrictEqual(await place.text("read", { path: "a/b.txt", offset: "2" }), "2");
  }),
  inPlace("write keeps a file's mode", async (place) => {
    const path = place.write("run.sh", "old");
    await place.call("bash", { command: "chmod 750 run.sh" });
    await place.call("write", { path: "run.sh", content: "new" });
    deepStrictEqual(statSync(path).mode & 0o777, 0o750);
  }),
  inPlace("read and write are denied through links that lead out", async (place) => {
    writeFileSync(join(place.outside, "secret"), "SECRET");
    symlinkSync(place.outside, join(place.cwd, "link"));
    const read = await place.call("read", { path: "link/secret" });
    const write = await place.call("write", { path: "link/new", content: "x" });
    deepStrictEqual([read.denied?.permission, write.denied?.permission], ["read", "write"]);
    ok(!existsSync(join(place.outside, "new")));
  }),
  inPlace("openFile() reads what was checked although the path is swapped", (place) => {
    const path = place.write("file", "checked");
    writeFileSync(join(place.outside, "secret"), "SECRET");
    using file = openFile(path, () => {
      renameSync(path, `${path}.old`);
      symlinkSync(join(place.outside, "secret"), path);
    });
    deepStrictEqual(new TextDecoder().decode(readAll(file.fd, 100)), "checked");
  }),
  inPlace("writeWholeFile() stays in the checked directory although its path is swapped", (place) => {
    mkdirSync(join(place.cwd, "dir"));
    let checks = 0;
    const check = () => {
      if (++checks > 1) return;
      renameSync(join(place.cwd, "dir"), join(place.cwd, "moved"));
      symlinkSync(place.outside, join(place.cwd, "dir"));
    };
    writeWholeFile({ path: join(place.cwd, "dir/file"), bytes: new Uint8Array([0x78]), check });
    deepStrictEqual(readFileSync(join(place.cwd, "moved/file"), "utf8"), "x");
    ok(!existsSync(join(place.outside, "file")));
  }),
  inPlace("find and grep honour .gitignore", async (place) => {
    place.write(".git/HEAD", "");
    place.write(".gitignore", "out/\n");
    place.write("out/a.ts", "needle\n");
    place.write("src/a.ts", "needle\n");
    deepStrictEqual(await place.text("find", { pattern: "*.ts" }), "src/a.ts");
    deepStrictEqual(await place.text("grep", { pattern: "need?le" }), "src/a.ts:1:needle");
  }),
  inPlace("bash joins both streams and gives the exit status", async (place) => {
    const result = await place.call("bash", { command: "echo a; echo b >&2; exit 3" });
    deepStrictEqual(result.content, [{ type: "text", text: "a\nb\nCommand exited with code 3" }]);
    deepStrictEqual(result.details?.["exitCode"], 3);
  }),
  inPlace("bash ends a command and what left its group at the timeout", async (place) => {
    const command = "setsid sleep 300 & echo $! > pid; sleep 300";
    const result = await place.call("bash", { command, timeout: 0.5 });
    deepStrictEqual(result.details?.["timedOut"], true);
    const pid = readFileSync(join(place.cwd, "pid"), "utf8").trim();
    const alive = await place.text("bash", {
      command: `grep -s '^State:.[^Z]' /proc/${pid}/status || echo gone`,
    });
    ok(alive.startsWith("gone"));
  }),
];
