// What the user asked for, in order, and which requests a later one took back.

import { middleCut } from "./clip.ts";
import type { Proposal, RequestFact } from "./facts.ts";

const REQUEST_LENGTH = 900;

/** A message that begins so takes the one before it back. */
const TAKES_BACK =
  /^[\s"'(*-]*(?:no+(?:pe)?(?:[,.!:;—-]|\s+wait\b|\s+(?:that'?s|this is)(?: not|n't)\b|\s+not\b)|(?:wait|stop|hold on|halt|warte|attends|espera|espere|wacht|подожди|стоп)(?:\s*[,.!:;…—-]|\s*$)|wait (?:no|not|that|this)\b|stop (?:it|that|this|doing|what)\b|actually\b|scratch that|forget (?:it|that|about|the)|never ?mind|undo (?:that|this|it)|revert (?:that|this|it)|cancel (?:that|this|it)|on second thought|well,? (?:actually|no\b|(?:i think )?(?:it|that|this|they|we|you) should(?: be| use| rather)\b)|change of plans?|let'?s not\b|instead[, ]|correction\b|nein[,.! ]|doch (?:lieber|nicht)|vergiss|stattdessen|lieber doch|non[,.! ]|finalement|plutôt|oublie|annule|en fait|mejor\b|en realidad|olv[ií]da|cancela|na verdade|esque[çc]e|esquece|anzi\b|lascia (?:stare|perdere)|dimentica|nee[,.! ]|toch (?:maar|niet)|laat maar|jednak\b|zapomnij|нет[,.! ]|лучше\b|отмена|отмени|забудь|вместо этого|передумал|不对|不是|不用了|算了|等等|改成|还是(?:用|不|算)|取消(?:$|[,，。!！这那刚它])|停(?:$|[,，。!！下])|いや|やっぱり|待って|違う|取り消|아니|취소|잠깐|그만|대신)/iu;

/** Says that what was asked for is not there yet. */
const INSISTS =
  /^\W*(?:no(?:pe)?|actually|wait|nein|non|nee|нет)\b.{0,60}\b(?:still|(?:does|is|do|did|was)(?: not|n'?t)|'?s not|fails?|failing|broken|crash(?:es|ed)?|works?|noch immer|immer noch|geht nicht|toujours|encore|nog steeds)(?![\p{L}\p{N}])/iu;

/** Goes on with what was asked before; never takes anything back. */
const CONTINUES =
  /^\W*(?:continue|go on|go ahead|proceed|keep going|yes|yep|yeah|ok(?:ay)?|resume|weiter|mach weiter|continúa|continue[zr]?|sigue|vai|продолж\w+|继续|続けて|계속)\W*$/iu;

/** Commands that agents answer by themselves, not always in the session. */
const OF_THE_SCREEN =
  /^\/(?:agents|clear|compact|config|context|cost|doctor|exit|fast|help|hooks|ide|login|logout|mcp|memory|model|new|permissions|quit|resume|rewind|settings|status|theme|usage|vim)(?:\s|$)/;

interface RequestState {
  readonly text: string;
  readonly entryId: string;
  /** Whether anything was done or said for it. */
  answered: boolean;
  cutOff: boolean;
  supersededBy: string | undefined;
  readonly remark: boolean;
  readonly answers: Proposal | undefined;
}

export interface RequestCollector {
  /** A user message; `words` are the user's own, not empty. `answers`: what they are a short answer to. */
  ask(words: string, entryId: string, answers?: Proposal): void;
  /** What the user said to a call, in answering its question or refusing it: it takes nothing back. */
  remark(words: string, entryId: string): void;
  /** A slash command. It is a request if it is answered, or nothing else follows; the agent's own screen answers to others. */
  command(words: string, entryId: string): void;
  /** The screen has answered to the command. */
  screenAnswered(): void;
  /** A message of the assistant that did or said something. */
  answer(cutOff: boolean, empty: boolean): void;
  /** At the end: a command that still waits for an answer is a request. Gives its entry. */
  settle(): string | undefined;
  facts(): readonly RequestFact[];
}

export function createRequestCollector(): RequestCollector {
  const requests: RequestState[] = [];
  let command: { readonly words: string; readonly entryId: string } | undefined;
  const add = (request: Pick<RequestState, "text" | "entryId" | "remark" | "answers">) => {
    requests.push({ ...request, answered: false, cutOff: false, supersededBy: undefined });
  };
  const ask = (words: string, entryId: string, answers?: Proposal) => {
    command = undefined;
    const text = middleCut(words, REQUEST_LENGTH);
    const previous = requests.at(-1);
    if (previous !== undefined && supersedes(text, previous)) previous.supersededBy = entryId;
    add({ text, entryId, remark: false, answers });
  };
  return {
    ask,
    remark(words, entryId) {
      add({ text: middleCut(words, REQUEST_LENGTH), entryId, remark: true, answers: undefined });
    },
    command(words, entryId) {
      command = { words, entryId };
    },
    screenAnswered() {
      command = undefined;
    },
    settle() {
      const waiting = command;
      if (waiting === undefined || OF_THE_SCREEN.test(waiting.words)) return undefined;
      ask(waiting.words, waiting.entryId);
      return waiting.entryId;
    },
    answer(cutOff, empty) {
      if (command !== undefined && !empty) ask(command.words, command.entryId);
      const request = requests.at(-1);
      if (request === undefined) return;
      if (!empty) request.answered = true;
      request.cutOff = cutOff;
    },
    facts: () =>
      requests.map(({ text, entryId, answered, cutOff, supersededBy, remark, answers }) => ({
        text,
        ...(answers === undefined ? {} : { answers }),
        ...(remark ? { remark: true as const } : {}),
        ...(supersededBy === undefined ? {} : { supersededBy }),
        ...(cutOff && !answered && supersededBy === undefined ? { interrupted: true as const } : {}),
        entryId,
      })),
  };
}

function supersedes(text: string, previous: RequestState): boolean {
  if (text.length < 60 && CONTINUES.test(text)) return false;
  if (text === previous.text) return true;
  if (previous.cutOff && !previous.answered && text.startsWith(previous.text.slice(0, 40))) return true;
  return (
    TAKES_BACK.test(text.slice(0, 60)) &&
    !INSISTS.test(text) &&
    !/^\W*(?:wait|hold on)\b.*\?/i.test(text.slice(0, 300))
  );
}
