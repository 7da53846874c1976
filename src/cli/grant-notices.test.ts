import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { parseFlags } from "./flags.ts";
import { grantNotices } from "./grant-notices.ts";
import { PERMISSION_FLAGS } from "./permission-flags.ts";

test("grantNotices() names what is not there, and nothing else", async () => {
  using dir = tempDir();
  for (const program of ["bin/tool", "p/script"]) chmodSync(dir.write(program, "#!/bin/sh\n"), 0o755);
  dir.write("p/src/a", "");
  dir.write("h/notes", "");
  const line =
    "--allow-read=src,/nowhere --allow-write=scr,src/a,~/notes,.. --deny-write=.gihub --deny-read=src " +
    "--allow-run=tool,gti,./script,./scirpt,cd,exit --deny-run=rmm --allow-env=CI,CII";
  const { flags } = await parseFlags(line.split(" "), PERMISSION_FLAGS);
  const place = { flags, cwd: join(dir.path, "p"), home: join(dir.path, "h") };
  expect(grantNotices({ ...place, env: { PATH: join(dir.path, "bin"), CI: "" } })).toEqual([
    "--allow-read=/nowhere: no such path",
    "--allow-write=scr: no such path",
    "--deny-write=.gihub: no such path",
    "--allow-run=gti: no such program on PATH",
    "--allow-run=./scirpt: no such program on PATH",
    "--deny-run=rmm: no such program on PATH",
    "--allow-env=CII: no such variable is set",
  ]);
});

test("grantNotices() says nothing of flags without a value", async () => {
  const { flags } = await parseFlags(["--allow-run", "--allow-write", "-A"], PERMISSION_FLAGS);
  expect(grantNotices({ flags, cwd: "/", home: "/", env: {} })).toEqual([]);
});
