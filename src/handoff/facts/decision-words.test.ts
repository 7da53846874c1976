import { expect, test } from "bun:test";
import { decisionWeight } from "./decision-words.ts";

for (const [sentence, weight] of [
  ["I decided to use HMAC rather than RSA because only this service verifies.", 3],
  ["We chose a queue instead of a cron job.", 3],
  ["Ich habe mich für reportlab statt weasyprint entschieden.", 3],
  ["Going with SQLite for now, it is enough.", 2],
  ["Let's go with the second cache then.", 2],
  ["The decision is to keep both formats.", 2],
  ["I switched to VMA instead of vkAllocateMemory.", 1],
  ["We keep SQLite because nothing else runs here.", 1],
  ["Kept the old name because scripts call it.", 1],
  ["The channel was chosen because nothing has to be weighted.", 1],
  ["Since nothing else runs here, we keep SQLite.", 1],
  ["I'll swap to `crypto.getRandomValues()` which pulls from the OS.", 1],
] as const) {
  test(`decisionWeight() is ${weight} for "${sentence}"`, () =>
    expect(decisionWeight(sentence)).toBe(weight));
}

for (const sentence of [
  "The footer now uses dim instead of muted, making it dimmer.",
  "Updated the function to use the tokens instead of mapping to colours",
  "Fixed all test files to use themes instead of chalk directly:",
  "Both render alike now since we're using plain values instead of a palette.",
  "The chosen theme is saved in the settings.",
  "The test fails because the key is used twice.",
  "Redis could be used because it is fast.",
  "We could go with Redis because it is fast.",
  "If we go with Redis, we have to run it.",
  "Should we go with Redis, because it is fast?",
  "This is still to be decided by the team.",
]) {
  test(`decisionWeight() is 0 for "${sentence}"`, () => expect(decisionWeight(sentence)).toBe(0));
}
