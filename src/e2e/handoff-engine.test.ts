// Which engine writes, what is redacted, and the result record.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { errorAnswer, textAnswer } from "../testing/fake-answers.ts";
import { handoffPlace, WHOLE_DOCUMENT } from "../testing/handoff-command.ts";
import { assistantEntry, HEADER, jsonl, userEntry } from "../testing/session-text.ts";

const SECRET = ["ghp_", "aB3dE5gH7jK9mN1pQ3sTu5Wx7Z0123456789"].join("");
const LEAKY = jsonl(
  HEADER,
  userEntry("00000001", null, `Never print ${SECRET} and set API_TOKEN=9f8Kd02jLs8Qm4Zx7Pq1.`),
  assistantEntry("00000002", "00000001", { content: [{ type: "text", text: `I keep ${SECRET} out.` }] }),
);

test("handoff takes the model when the server answers, and says why when it does not", async () => {
  await using place = await handoffPlace("short", [textAnswer(WHOLE_DOCUMENT)]);
  const online = await place.run(["handoff", "old.jsonl", ...place.model, "--output", "json"]);
  expect(JSON.parse(online.stdout).engine).toBe("model");
  const away = await place.run([
    "handoff",
    "old.jsonl",
    "--model",
    "fake",
    "--host",
    "127.0.0.1:9",
    "--output",
    "json",
  ]);
  expect(JSON.parse(away.stdout).engine).toBe("offline");
  expect(away.stderr).toContain(
    "does not answer: the document is extracted without a model (--engine offline)\n",
  );
});

test("handoff with --engine model never falls back", async () => {
  await using place = await handoffPlace("short", [errorAnswer(500, "broken")]);
  const broken = await place.run(["handoff", "old.jsonl", ...place.model, "--retries", "0"]);
  expect(broken).toMatchObject({ code: 69, stdout: "" });
  const away = await place.run([
    "handoff",
    "old.jsonl",
    "--engine",
    "model",
    "--model",
    "fake",
    "--host",
    "127.0.0.1:9",
    "--retries",
    "0",
  ]);
  expect(away).toMatchObject({ code: 69, stdout: "" });
  expect(place.stored()).toEqual([]);
});

test("handoff takes secrets out of the document, not out of what is recorded", async () => {
  const answer = WHOLE_DOCUMENT.replace("- HMAC", `- The key is ${SECRET}`);
  await using place = await handoffPlace(LEAKY, [textAnswer(answer)]);
  const offline = await place.run(["handoff", "old.jsonl", "--engine", "offline", "--output", "json"]);
  expect(offline.stdout).not.toContain(SECRET);
  expect(offline.stdout).toContain("[redacted:github-token]");
  expect(offline.stdout).toContain("API_TOKEN=[redacted:secret]");
  const model = await place.run(["handoff", "old.jsonl", ...place.model]);
  expect(model.stdout).not.toContain(SECRET);
  expect(JSON.stringify(place.added())).toContain(SECRET);
  const kept = await place.run(["handoff", "old.jsonl", "--engine", "offline", "--no-redact"]);
  expect(kept.stdout).toContain(SECRET);
});

test("handoff writes the result record, whatever its end", async () => {
  await using place = await handoffPlace("short");
  const file = `${place.dir.path}/result.json`;
  const done = await place.run(["handoff", "old.jsonl", "--engine", "offline", "--result", "result.json"]);
  const [[header] = []] = place.stored();
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    type: "result",
    ok: true,
    exitCode: 0,
    sessionId: header?.["id"],
    text: done.stdout,
  });
  const failed = await place.run([
    "handoff",
    "old.jsonl",
    "--engine",
    "model",
    "--model",
    "fake",
    "--host",
    "127.0.0.1:9",
    "--retries",
    "0",
    "--result",
    "result.json",
  ]);
  expect(failed.code).toBe(69);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    ok: false,
    exitCode: 69,
    error: { kind: "unavailable", retryable: true },
  });
});
