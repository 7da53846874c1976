// `bun run bench <name> [args]`: runs scripts/bench-<name>.ts, whose `run(args)` measures and prints.

import { cpus, totalmem } from "node:os";

const [name, ...args] = process.argv.slice(2);
const known = [...new Bun.Glob("bench-*.ts").scanSync(import.meta.dir)]
  .map((file) => file.slice("bench-".length, -".ts".length))
  .sort();

if (name === undefined || !known.includes(name)) {
  console.error(`usage: bun run bench <${known.join("|")}>`);
  process.exitCode = 2;
} else {
  const bench: { run(args: readonly string[]): void | Promise<void> } = await import(`./bench-${name}.ts`);
  const memory = Math.round(totalmem() / 2 ** 30);
  console.log(
    `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${memory} GiB, Bun ${Bun.version}, ${process.platform}`,
  );
  await bench.run(args);
}
