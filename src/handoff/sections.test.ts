import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { closeFence, fillSections, parseSections, plainDocument, SECTIONS } from "./sections.ts";

const WHOLE = SECTIONS.map((name) => `## ${name}\nabout ${name}`).join("\n\n");

describe("parseSections()", () => {
  test("finds the six sections, each with its own text", () => {
    expect(parseSections(WHOLE)).toEqual({
      sections: Object.fromEntries(SECTIONS.map((name) => [name, `about ${name}`])),
      missing: [],
    });
  });

  test("keeps the parts of Progress in it", () => {
    const { sections } = parseSections(
      "## Progress\n### Done\n- a\n### In Progress\n- b\n### Pending\n- c\n## Next Steps\n1. d",
    );
    expect(sections.Progress).toBe("### Done\n- a\n### In Progress\n- b\n### Pending\n- c");
  });

  for (const [what, text] of [
    ["another level", "# Goal\nx\n# Next Steps\ny"],
    ["another order", "## Next Steps\ny\n\n## Goal\nx"],
    ["bold headings", "**Goal**\nx\n\n**Next Steps:**\ny"],
    ["bold headings with the text behind", "**Goal:** x\n\n**Next steps**: y"],
    ["numbers", "## 1. Goal\nx\n## 6) Next Steps\ny"],
    ["capitals and colons", "## GOAL:\nx\n## Next steps:\ny"],
    ["trailing marks", "## Goal ##\nx\n## Next Steps ##\ny"],
    ["other words", "## Objective\nx\n## Recommended next actions\ny"],
    ["numbered bold", "1. **Goal**\nx\n2. **Next Steps**\ny"],
    ["underlines in place of stars", "__Goal__\nx\n\n__Next Steps__\ny"],
  ] as const) {
    test(`tolerates ${what}`, () => {
      expect(parseSections(text).sections).toEqual({ Goal: "x", "Next Steps": "y" });
    });
  }

  test("takes slips of wording for the longer names", () => {
    const text =
      "## Constraints and Preferences\na\n## Decisions Made\nb\n## Important Context\nc\n## Status\nd";
    expect(Object.keys(parseSections(text).sections)).toEqual([
      "Constraints & Preferences",
      "Progress",
      "Key Decisions",
      "Critical Context",
    ]);
  });

  test("takes headings inside a code fence for text", () => {
    expect(parseSections("## Goal\n```md\n## Next Steps\nno\n```\nx").sections).toEqual({
      Goal: "```md\n## Next Steps\nno\n```\nx",
    });
    expect(parseSections("## Goal\n~~~\n```\n## Next Steps\n~~~\nx").missing).toContain("Next Steps");
  });

  test("takes an empty section for missing", () => {
    expect(parseSections("## Goal\n\n## Next Steps\nx").missing).toContain("Goal");
  });

  test("ends a section at a heading of its own level that is no section", () => {
    expect(parseSections("## Goal\nx\n## Appendix\ny").sections).toEqual({ Goal: "x" });
    expect(parseSections("## Goal\nx\n### Details\ny").sections).toEqual({ Goal: "x\n### Details\ny" });
  });

  test("does not hang or throw on any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("#", "`", "*", "\n", " ", "G", "oal", "Next Steps", ":") }),
        (text) => {
          const { sections, missing } = parseSections(text);
          expect(Object.keys(sections).length + missing.length).toBe(6);
        },
      ),
    );
  });
});

test("plainDocument() takes off a fence around the whole, and only that", () => {
  expect(plainDocument("```markdown\n## Goal\nx\n```")).toBe("## Goal\nx");
  expect(plainDocument("\n## Goal\n```sh\nx\n```\n")).toBe("## Goal\n```sh\nx\n```");
  expect(plainDocument("```sh\na\n```\ntext\n```sh\nb\n```")).toBe("```sh\na\n```\ntext\n```sh\nb\n```");
});

test("fillSections() adds what was missing and nothing else", () => {
  const filled = fillSections("## Goal\nx", "## Goal\nother\n## Next Steps\n1. y", [
    "Next Steps",
    "Progress",
  ]);
  expect(filled).toBe("## Goal\nx\n\n## Next Steps\n1. y");
});

test("closeFence() leaves no fence open, whatever the text", () => {
  expect(closeFence("a\n````\nb\n```")).toBe("a\n````\nb\n```\n````");
  const pieces = fc.array(fc.constantFrom("```", "````", "~~~", "```sh", "text", "  ```", ""), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(pieces, (lines) => {
      const closed = closeFence(lines.join("\n"));
      expect(closeFence(closed)).toBe(closed);
    }),
  );
});
