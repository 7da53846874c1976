// A finished document with everything that is known about it, whichever engine wrote it.

import type { Usage } from "../model/messages.ts";
import type { Claim } from "./claims.ts";
import type { Facts } from "./facts/facts.ts";
import type { ParsedDocument } from "./sections.ts";

export interface WrittenHandoff extends ParsedDocument {
  readonly engine: "model" | "offline";
  /** What is printed, and what the new session begins with. */
  readonly document: string;
  readonly facts: Facts;
  /** Names in a model's text that the session does not contain. */
  readonly unverified: readonly Claim[];
  readonly usage: Usage;
}
