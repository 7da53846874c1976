// The default engine asks a server that answers, whatever it says, and takes its failure for the end.

import { expect, test } from "bun:test";
import { createServer } from "node:net";
import type { ScriptedAnswer } from "../testing/fake-routes.ts";
import { handoffPlace } from "../testing/handoff-command.ts";

const HTML = { headers: { "content-type": "text/html" }, lines: ["<html>Welcome</html>"] };
const ANSWERS: readonly (readonly [says: string, answer: ScriptedAnswer, code: number])[] = [
  ["401", { status: 401, lines: ['{"error":"unauthorized"}'] }, 1],
  ["403 in HTML", { ...HTML, status: 403 }, 1],
  ["404", { status: 404, lines: ["404 page not found"] }, 1],
  ["500", { status: 500, lines: ['{"error":"broken"}'] }, 69],
  ["HTML", HTML, 69],
  ["null", { lines: ["null"] }, 69],
  ["a redirect to itself", (request) => ({ status: 307, headers: { location: request.path }, lines: [] }), 1],
  ["a redirect to nowhere", { status: 307, headers: { location: "http://127.0.0.1:9/" }, lines: [] }, 69],
];

const PATHS = ["/api/tags", "/api/show", "/api/ps", "/api/version", "/api/chat"];

for (const [says, answer, code] of ANSWERS) {
  test(`handoff fails, and writes no document, when the server's answer is ${says}`, async () => {
    const paths = Object.fromEntries(PATHS.map((path) => [path, answer]));
    await using place = await handoffPlace("short", [], { paths });
    const result = await place.run(["handoff", "old.jsonl", ...place.model, "--retries", "0"]);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).not.toContain("does not answer");
    expect(place.stored()).toEqual([]);
  });
}

test("handoff needs no server that says nothing within its time, or is none", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  const closing = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await using place = await handoffPlace("short");
  for (const server of [silent, closing]) {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const line = ["handoff", "old.jsonl", "--model", "fake", "--host", `127.0.0.1:${port}`, "--no-session"];
    const { code, stdout, stderr } = await place.run(line);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`127.0.0.1:${port} does not answer: `)]);
    expect(stdout).toContain("## Goal");
    server.close();
  }
});

test("handoff fails when what answers does not speak HTTP", async () => {
  const server = createServer((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n")).listen(0, "127.0.0.1");
  await using place = await handoffPlace("short");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const host = ["--model", "fake", "--host", `127.0.0.1:${port}`, "--retries", "0"];
  const { code, stdout, stderr } = await place.run(["handoff", "old.jsonl", ...host]);
  expect([code, stdout]).toEqual([69, ""]);
  expect(stderr).toContain(`127.0.0.1:${port}: what answers there does not speak HTTP\n`);
  server.close();
});
