import { expect, test } from "bun:test";
import { DEFAULT_SETTINGS } from "../../settings/settings.ts";
import { buildPermissions } from "../permissions/build.ts";
import { cleanEnvironment, limitedEnvironment } from "./environment.ts";

const ENV = {
  PATH: "/usr/bin:.::bin:/p/bin:/w",
  HOME: "/home/u",
  LANG: "de_DE.UTF-8",
  TERM: "xterm",
  TOKEN: "t",
  CI: "1",
};
const BASIC = { PATH: "/usr/bin:/p/bin:/w", HOME: "/home/u", LANG: "de_DE.UTF-8", TERM: "dumb" };

test("cleanEnvironment() keeps the basic variables, absolute directories of PATH, and what is granted", () => {
  expect(cleanEnvironment(ENV, [])).toEqual(BASIC);
  expect(cleanEnvironment(ENV, ["CI", "MISSING"])).toEqual({ ...BASIC, CI: "1" });
  expect(cleanEnvironment(ENV, "all")).toEqual({ ...BASIC, CI: "1", TOKEN: "t" });
  expect(cleanEnvironment({ PATH: "." }, [])).toEqual({
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: "/",
    LANG: "C.UTF-8",
    TERM: "dumb",
  });
});

test("limitedEnvironment() leaves out directories of PATH that the project brings along or the run may write", () => {
  const none = DEFAULT_SETTINGS.permissions;
  const limited = (write: readonly string[], realCwd = "/p") =>
    limitedEnvironment(BASIC, {
      realCwd,
      permissions: buildPermissions({
        settings: none,
        flags: { ...none, write },
        all: false,
        cwd: "/p",
        home: "/home/u",
        env: {},
      }),
    })["PATH"];
  expect([limited([]), limited(["/w"]), limited(["/"]), limited(["/w"], "/")]).toEqual([
    "/usr/bin:/w",
    "/usr/bin",
    "/usr/local/bin:/usr/bin:/bin",
    "/usr/bin:/p/bin",
  ]);
});
