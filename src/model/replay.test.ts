import { expect, test } from "bun:test";
import { collectEvents, endOf, userRequest } from "../testing/collect.ts";
import { textAnswer, thinkingAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { fakeOllama } from "../testing/fake-ollama.ts";
import { tempDir } from "../testing/temp.ts";
import { parseHost } from "./ollama/host.ts";
import { ollamaModel } from "./ollama/model.ts";
import { recordedModel } from "./record.ts";
import { replayModel } from "./replay.ts";

const REQUEST = userRequest("hi");

test("replayModel() gives the events that recordedModel() passed on, answer by answer", async () => {
  using dir = tempDir();
  const file = `${dir.path}/recording.jsonl`;
  await using server = await fakeOllama({
    answers: [
      { ...textAnswer("Hel", "lö"), cuts: [5] },
      thinkingAnswer("hm", "yes"),
      toolAnswer({ name: "read", arguments: { path: "a.ts" } }, { name: "ls", arguments: {} }),
    ],
  });
  const live = recordedModel(
    ollamaModel({
      host: parseHost(server.url),
      apiKey: undefined,
      model: "fake",
      numCtx: undefined,
      keepAlive: undefined,
    }),
    file,
  );
  const recordedTurns = [
    await collectEvents(live, REQUEST),
    await collectEvents(live, REQUEST),
    await collectEvents(live, REQUEST),
  ];
  const replay = replayModel(file);
  for (const recorded of recordedTurns) {
    const replayed = await collectEvents(replay, REQUEST);
    expect(replayed.slice(0, -1)).toEqual(recorded.slice(0, -1));
    expect(contentOf(replayed)).toEqual(contentOf(recorded));
  }
});

function contentOf(events: Awaited<ReturnType<typeof collectEvents>>) {
  const end = endOf(events);
  if (end?.type !== "done") throw new Error(`the stream ended with ${JSON.stringify(end)}`);
  const { content, stopReason, usage } = end.message;
  return { content, stopReason, usage };
}
