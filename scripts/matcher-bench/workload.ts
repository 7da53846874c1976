// Rules as people write them, and a text as models write it, the same at every run. The words of the rules do not
// occur in the text, so that a rule is looked for from the first character to the last.

import { createRandom, type Random } from "../../src/matcher/fuzz/random.ts";

const SYLLABLES =
  "re con ta lo mi ser ve par se fi le map set buf co de en try in out str num er ion ing est al an";
const RARE_ENDINGS = ["qz", "xk", "vj", "zq"];

function word(random: Random, syllables = 2 + random.below(3)): string {
  return Array.from({ length: syllables }, () => random.pick(SYLLABLES.split(" "))).join("");
}

function rareWord(random: Random): string {
  return word(random, 2 + random.below(2)) + random.pick(RARE_ENDINGS);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `length` units of TypeScript and prose about it. */
export function benchText(length: number): string {
  const random = createRandom(7);
  const vocabulary = Array.from({ length: 3000 }, () => word(random));
  const w = () => random.pick(vocabulary);
  const W = () => capitalized(w());
  const lines: readonly (() => string)[] = [
    () => `const ${w()} = await ${w()}(${w()}, ${random.below(1000)});\n`,
    () => `  if (${w()}.${w()} !== undefined) { return ${w()}; }\n`,
    () => `// ${w()} ${w()} the ${w()} of ${w()}\n`,
    () => `import { ${W()}, ${W()} } from "./${w()}";\n`,
    () => `The ${w()} ${w()} is ${w()}ing, so we ${w()} it — “${w()}” first. `,
    () => `export function ${w()}(${w()}: ${W()}): Promise<void> {\n`,
    () => `    this.${w()} = new ${W()}(${w()} ?? ${random.below(99)});\n`,
    () => `for (const ${w()} of ${w()}) console.error(${w()});\n}\n\n`,
    () => `${w()} ${w()}, ${w()} ${w()} ${w()}. `,
  ];
  const parts: string[] = [];
  for (let written = 0; written < length; ) {
    const line = random.pick(lines)();
    parts.push(line);
    written += line.length;
  }
  return parts.join("").slice(0, length);
}

/** Patterns of twelve kinds: words, calls, types, imports, lookarounds, a bounded repetition. */
export function benchPatterns(count: number): string[] {
  const random = createRandom(99);
  const w = () => rareWord(random);
  const W = () => capitalized(rareWord(random));
  const kinds: readonly (() => string)[] = [
    () => `\\b${w()}\\b`,
    () => `${w()}\\(`,
    () => `\\bnew\\s+(${W()}|${W()})\\b`,
    () => `: ${w()}|as ${w()}`,
    () => `\\.${word(random)}\\(\\)\\.${w()}\\(\\)`,
    () => `type\\s+${W()}<[A-Za-z_]\\w*>\\s*=`,
    () => `import\\s*\\{[^}\\n]*\\b${W()}\\b[^}\\n]*\\}`,
    () => `(?i)${w()}[-_ ]?${word(random)}`,
    () => `${w()}(?!\\.${word(random)})`,
    () => `(?<![.\\w])${w()}\\s*\\(`,
    () => `"${w()}/${word(random)}"`,
    () => `\\b(?:const|let|var)\\s+${w()}\\b\\s*(?::[^=\\n]{0,80})?=`,
  ];
  return Array.from({ length: count }, (_, k) => (kinds[k % kinds.length] ?? w)());
}

/** `length` units of random `a` and `b`, the worst that a counted class of both can meet. */
export function randomLetters(length: number): string {
  const random = createRandom(5);
  return Array.from({ length }, () => (random.oneIn(2) ? "a" : "b")).join("");
}
