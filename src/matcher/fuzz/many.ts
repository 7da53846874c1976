// Many rules at once, with caches and limits so small that they are exceeded all the time, must fire like each rule
// alone with all the room it wants.

import { locateMatch } from "../locate.ts";
import { type Fire, StreamMatcher, type StreamPattern } from "../matcher.ts";
import type { MatcherOptions } from "../options.ts";
import { DIALECTS, type Dialect, randomPattern } from "./patterns.ts";
import { feed, randomCut } from "./properties.ts";
import { createRandom, type Random, randomText } from "./random.ts";
import { describeThrown } from "./sweep.ts";

export interface ManySweep {
  /** Pairs of a rule and a text. */
  cases: number;
  fired: number;
  gaveUp: number;
  readonly failures: { readonly detail: string }[];
}

/** Units only, and without the constructs that make the three engines slow on long texts. */
const DIALECT: Dialect = {
  name: "many rules",
  flags: ["", "i", "m", "s", "u"],
  atoms: [
    ..."abcx ",
    "\\w",
    ".",
    "[^]",
    "[ab]",
    "[^a]",
    "\\s",
    "\\b",
    "\\B",
    "$",
    "^",
    "a{3}",
    "[ab]{2,5}",
    ".{0,4}",
    "[ab]{20}",
    ".{0,30}",
  ],
  groups: ["(?:", "(?=", "(?!", "(?<=", "(?<!"],
  quantifiers: ["", "", "", "*", "+", "?"],
  groupQuantifiers: ["", "", "?", "*"],
  prefixes: ["a", "b", "\\b", "x"],
  alphabet: ["a", "b", "c", " ", "\n", "x", "a", "b", "abab", "aaaaaaaa"],
  longestText: 200,
};
const SLOW = DIALECTS.filter(({ name }) => name === "backreferences");
const TEXTS_PER_SET = 4;
/** So long that rules are spread over several automata on the way. */
const LONG_TEXT = 2000;

export function createManySweep(): ManySweep {
  return { cases: 0, fired: 0, gaveUp: 0, failures: [] };
}

export function sweepManyRounds(seed: number, rounds: number): ManySweep {
  const random = createRandom(seed);
  const sweep = createManySweep();
  for (let k = 0; k < rounds; k++) sweepManyOnce(sweep, random);
  return sweep;
}

/** One set of rules on several texts. */
export function sweepManyOnce(sweep: ManySweep, random: Random): void {
  const rules = Array.from({ length: 2 + random.below(12) }, (_, k) => randomRule(random, `rule ${k}`));
  const options = tightOptions(random);
  const together = new StreamMatcher(rules, options);
  // Enough to make it cease to keep where matches began; those alone go on with it.
  together.push(" ".repeat(300));
  const alone = rules.map((rule) => new StreamMatcher([rule], { checkEvery: 16 }));
  for (let k = 0; k < TEXTS_PER_SET; k++) {
    const longest = k === 0 ? LONG_TEXT : DIALECT.longestText;
    const text = randomText(random, DIALECT.alphabet, random.below(longest));
    sweep.cases += rules.length;
    try {
      if (k === 0) checkCuts(sweep, { rules, options, text, random });
      if (k === 1) checkIdle(sweep, { rules, options, text, random });
      if (k === 2) checkRearm(sweep, { rules, options, text, random });
      compare(sweep, { rules, options, text, together, alone, random });
    } catch (error) {
      sweep.failures.push({
        detail: JSON.stringify({ rules, options, text, thrown: describeThrown(error) }),
      });
    }
  }
}

interface Comparison {
  readonly rules: readonly StreamPattern[];
  readonly options: MatcherOptions;
  readonly text: string;
  readonly together: StreamMatcher;
  readonly alone: readonly StreamMatcher[];
  readonly random: Random;
}

function compare(sweep: ManySweep, { rules, options, text, together, alone, random }: Comparison): void {
  const single = alone.map((matcher) => feed(matcher, [text]));
  const all = feed(together, randomCut(text, random, 20));
  sweep.fired += all.length;
  const excused = new Set([together, ...alone].flatMap(({ gaveUp }) => gaveUp.map(({ id }) => id)));
  sweep.gaveUp += excused.size;
  const wanted = namesOf(single.flat(), excused);
  const got = namesOf(all, excused);
  if (wanted !== got) sweep.failures.push({ detail: JSON.stringify({ rules, options, text, wanted, got }) });
}

type Tried = Pick<Comparison, "rules" | "options" | "text" | "random">;

/** Matchers that have read nothing before fire and give up the same in any cut. */
function checkCuts(sweep: ManySweep, { rules, options, text, random }: Tried): void {
  const outcome = (chunks: readonly string[]) => {
    const matcher = new StreamMatcher(rules, options);
    // Those of slow patterns are told late, and so may come after others.
    const fires = feed(matcher, chunks).toSorted((a, b) => a.at - b.at || a.id.localeCompare(b.id));
    return JSON.stringify({ fires, gaveUp: matcher.gaveUp });
  };
  const [whole, cut] = [outcome([text]), outcome(randomCut(text, random, 20))];
  if (whole !== cut) sweep.failures.push({ detail: JSON.stringify({ rules, options, text, whole, cut }) });
}

/** A rule that is armed again in the middle of a text fires on the rest like alone, with all the room it wants. */
function checkRearm(sweep: ManySweep, { rules, options, text, random }: Tried): void {
  const rule = random.pick(rules);
  const middle = random.below(text.length + 1);
  // Of a match without a character at the very place, nothing is said.
  if (locateMatch({ rule, text, from: middle, decidedAt: middle }).kind !== "none") return;
  const firesOf = (matcher: StreamMatcher) => {
    matcher.push(text.slice(0, middle));
    matcher.rearm(rule.id);
    const fires = [...matcher.push(text.slice(middle)), ...matcher.end()];
    const rest = fires.filter(({ id, at }) => id === rule.id && at > middle).map(({ at }) => at);
    return { rest, gaveUp: matcher.gaveUp.some(({ id }) => id === rule.id) };
  };
  const together = firesOf(new StreamMatcher(rules, options));
  const alone = firesOf(new StreamMatcher([rule], { checkEvery: 16 }));
  if (together.gaveUp || alone.gaveUp || together.rest.join() === alone.rest.join()) return;
  sweep.failures.push({ detail: JSON.stringify({ rules, options, text, middle, rule, together, alone }) });
}

/** What `idleFrom` has let go of is in no match that fires later. */
function checkIdle(sweep: ManySweep, { rules, options, text, random }: Tried): void {
  const matcher = new StreamMatcher(rules, options);
  let idle = matcher.idleFrom;
  let read = 0;
  for (const chunk of randomCut(text, random, 20)) {
    const fires = matcher.push(chunk);
    read += chunk.length;
    for (const { id, at } of fires) {
      const rule = rules.find((candidate) => candidate.id === id);
      const located = rule && locateMatch({ rule, text, decidedAt: at });
      if (located?.kind !== "match" || located.start >= idle) continue;
      sweep.failures.push({ detail: JSON.stringify({ rules, options, text, id, at, idle, located }) });
    }
    const now = matcher.idleFrom;
    if (now < idle || now > read)
      sweep.failures.push({ detail: JSON.stringify({ rules, options, text, idle, now }) });
    idle = now;
  }
}

function randomRule(random: Random, id: string): StreamPattern {
  const flags = random.pick(DIALECT.flags);
  const patterns = Array.from({ length: random.oneIn(4) ? 2 : 1 }, () => {
    const [slow] = SLOW;
    return random.oneIn(12) && slow !== undefined
      ? validPattern(random, slow, flags)
      : validPattern(random, DIALECT, flags);
  });
  return { id, patterns, flags };
}

function validPattern(random: Random, dialect: Dialect, flags: string): string {
  for (;;) {
    const source = randomPattern(random, dialect);
    try {
      new RegExp(source, flags);
      return source;
    } catch {
      // The next one.
    }
  }
}

function tightOptions(random: Random): MatcherOptions {
  return {
    maxStates: 4 + random.below(60),
    maxMachines: 1 + random.below(6),
    checkEvery: 16,
    ...(random.oneIn(3) ? { maxThreads: 3 + random.below(10) } : {}),
    ...(random.oneIn(4) ? { maxNodes: 10 + random.below(40) } : {}),
  };
}

/** Who fired where. Whether only the end decided it may differ for a rule that was handed over. */
function namesOf(fires: readonly Fire[], excused: ReadonlySet<string>): string {
  return fires
    .filter(({ id }) => !excused.has(id))
    .map(({ id, at }) => `${id}@${at}`)
    .sort()
    .join();
}
