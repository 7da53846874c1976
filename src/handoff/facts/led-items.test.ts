import { expect, test } from "bun:test";
import { ledItems } from "./led-items.ts";

test("ledItems() quotes what an open sentence leads to with its beginning", () => {
  const { items, leads } = ledItems(
    "a page for us\nit should\n- remember the bounds\n- be one file\n\nthanks",
  );
  expect(items).toEqual([
    { text: "it should remember the bounds", weight: 1 },
    { text: "it should … be one file", weight: 1 },
  ]);
  expect([...leads]).toEqual(["it should"]);
});

test("ledItems() takes the list under a title for rules", () => {
  const text =
    "Port the parser.\n\n**Rules:**\n\n1. Tabs for indentation\n2. Never log a token\nThat is all.";
  expect(ledItems(text).items).toEqual([{ text: "Tabs for indentation", weight: 2 }]);
});

test("ledItems() finds none where a line leads nowhere", () => {
  expect(ledItems("it works as it should\n\nRules\nare good").items).toEqual([]);
  expect(ledItems("Never do this:\nfoo()").items).toEqual([]);
});
