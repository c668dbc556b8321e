import { outcomeWith } from "../../harness/words.ts";
import type { CodecAnswer } from "../../../vectors/codec.ts";
import { printable } from "../../wire/octets.ts";
import type { Sight, Step } from "../vocabulary.ts";

/** Steps, sights and answers of a codec in words. */

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
const listInWords = (list: readonly (readonly [string, string, boolean?])[]): string =>
  list.length > 4
    ? plural(list.length, "field")
    : list.map(([name, value]) => `${printable(name, 30)}: ${printable(value, 30)}`).join(", ");

export const stepInWords = (step: Step): string =>
  step.do === "decode" ? `decode ${plural(step.blocks.length, "block")}` : `encode ${plural(step.lists.length, "list")}`;

export function answerInWords(answer: CodecAnswer): string {
  switch (answer.is) {
    case "fields":
      return `fields ${answer.fields
        .map((list) => `[${listInWords(list)}]`)
        .join(" ")
        .slice(0, 200)}`;
    case "blocks":
      return `blocks ${answer.blocks.join(" ").slice(0, 200)}`;
    case "error":
      return `refused: ${printable(answer.error, 80)}`;
    case "trouble":
      return answer.why;
    case "unknown":
    case "messages":
    case "samples":
      return `answered with ${answer.is}`;
  }
}

function sightInWords(sight: Sight): string {
  switch (sight.see) {
    case "fields":
      return `decoded to ${sight.lists.map((list) => `[${listInWords(list)}]`).join(" ")}`;
    case "marked fields":
      return `decoded, with exactly the never-indexed ones marked: ${sight.lists.map((list) => `[${listInWords(list)}]`).join(" ")}`;
    case "unmarked fields":
      return "decoded, with no field marked as never indexed";
    case "decoding error":
      return "refused as a decoding error";
    case "accepted":
      return "decoded without error";
    case "round trip":
      return "encoded into blocks that decode to the given fields";
    case "blocks":
      return `encoded as ${sight.blocks.join(" ")}`;
    case "holds":
      return `encoded so that "${sight.property.replaceAll("-", " ")}" holds`;
  }
}

export const outcomeInWords = outcomeWith(sightInWords);
