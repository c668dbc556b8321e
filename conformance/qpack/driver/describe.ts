import type { CodecAnswer } from "../../../vectors/codec.ts";
import { outcomeWith, short } from "../../harness/words.ts";
import { printable } from "../../wire/octets.ts";
import type { Sight, Step } from "../vocabulary.ts";
import type { Ended } from "./exchange.ts";

/** Steps, sights and answers of a codec in words. */

export const stepInWords = (step: Step): string =>
  step.do === "qpack-decode" ? `decode ${step.steps.length} arrivals` : `encode ${step.events.length} events`;

export function answerInWords(answer: CodecAnswer): string {
  if (answer.is === "error") return `refused: ${printable(answer.error, 80)}`;
  if (answer.is === "messages")
    return answer.error === undefined
      ? `decoded ${printable(JSON.stringify(answer.messages), 200)}`
      : `refused: ${printable(answer.error, 80)}`;
  return answer.is === "trouble" ? answer.why : `answered with ${answer.is}`;
}

export function endedInWords(ended: Ended): string {
  if (ended.is === "trouble") return ended.why;
  if (ended.is === "refused") return `refused: ${printable(ended.why, 80)}`;
  const [broken] = ended.broken.values();
  return broken ?? "encoded, by all rules";
}

function sightInWords(sight: Sight): string {
  switch (sight.see) {
    case "decoded":
      return `decoded as ${short(sight.sections)}`;
    case "refused":
      return `refused as a connection error${sight.code === undefined ? "" : ` 0x${sight.code.toString(16)}`}`;
    case "keeps":
      return `encoded so that "${sight.property}" holds`;
    case "refused answers":
      return `the decoder's instruction refused as a connection error 0x${sight.code.toString(16)}`;
  }
}

export const outcomeInWords = outcomeWith(sightInWords);
