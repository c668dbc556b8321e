import { createHash } from "node:crypto";
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

/** The longest answer that is shown whole. */
const SHOWN = 200;
/** The beginning of a long answer, and a digest of all of it, so that `--same-as` also sees what changes after that. */
function shortened(text: string, whole: unknown): string {
  const digest = createHash("sha256").update(JSON.stringify(whole)).digest("hex").slice(0, 12);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (sha256 ${digest}…)`;
}

export function answerInWords(answer: CodecAnswer): string {
  switch (answer.is) {
    case "fields":
      return shortened(`fields ${answer.fields.map((list) => `[${listInWords(list)}]`).join(" ")}`, answer.fields);
    case "blocks":
      return shortened(`blocks ${answer.blocks.join(" ")}`, answer.blocks);
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
