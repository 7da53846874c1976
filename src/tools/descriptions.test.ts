// What the model is told of the tools, as it is told. A change here changes how models behave: make it on purpose.

import { expect, test } from "bun:test";
import { toolPlace } from "../testing/tool-place.ts";
import { requireSchema } from "./arguments.ts";
import { BUILT_IN_TOOLS } from "./names.ts";
import { demandKnownTools } from "./toolset.ts";

test("the built-in tools are described as in the golden file", async () => {
  using place = await toolPlace({ all: true });
  const specs = place.tools.offered.map((tool) => tool.spec);
  const golden = new URL("descriptions.golden.json", import.meta.url).pathname;
  if (process.env["UPDATE_GOLDENS"]) await Bun.write(golden, `${JSON.stringify(specs, null, 2)}\n`);
  expect(specs).toEqual(await Bun.file(golden).json());
});

test("the parameters of the built-in tools are JSON Schemas, which nothing checks later", async () => {
  using place = await toolPlace({ all: true });
  for (const { spec } of place.tools.offered) await requireSchema(spec.name, spec.parameters);
  expect(place.tools.offered.length).toBeGreaterThan(5);
});

test("BUILT_IN_TOOLS are the tools of a run that may do anything", async () => {
  using place = await toolPlace({ all: true });
  expect(place.tools.offered.map(({ spec }) => spec.name)).toEqual([...BUILT_IN_TOOLS]);
});

test("demandKnownTools() knows every built-in tool, and the hint names no other", async () => {
  using place = await toolPlace({ all: true });
  const names = place.tools.offered.map((tool) => tool.spec.name);
  demandKnownTools(names, []);
  expect(() => demandKnownTools(["other"], [])).toThrow(
    expect.objectContaining({ kind: "usage", hint: `There are: ${names.join(", ")}.` }),
  );
});

test("descriptions are short", async () => {
  using place = await toolPlace({ all: true });
  const long = place.tools.offered.filter((tool) => tool.spec.description.length > 500);
  expect(long.map((tool) => tool.spec.name)).toEqual([]);
});

test("bash says what its permissions leave of the shell", async () => {
  using limited = await toolPlace({ grants: { run: ["git", "bun"] } });
  using denying = await toolPlace({
    grants: { run: true, deny: { read: undefined, write: undefined, run: ["git"] } },
  });
  const last = (place: typeof limited) =>
    place.tools.offered
      .find((tool) => tool.spec.name === "bash")
      ?.spec.description.split("\n")
      .at(-1);
  expect(last(limited)).toStartWith("Only these programs may run: git, bun. Write simple commands");
  expect(last(denying)).toStartWith("Only these programs may run: all but git.");
});
