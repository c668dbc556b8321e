import type { CodecAnswer } from "../../../vectors/codec.ts";
import { blockDecoder } from "../../wire/hpack/field-block.ts";
import { fromHex } from "../../wire/octets.ts";
import { limitsBefore, type FieldSpec, type Sight, type Step } from "../vocabulary.ts";
import { answerInWords } from "./describe.ts";
import { broken } from "./properties.ts";

/** Why the answer to a step differs from the sight; undefined if it does not. */
export function isSeen(sight: Sight, step: Step, answer: CodecAnswer): string | undefined {
  switch (sight.see) {
    case "decoding error":
      return answer.is === "error" ? undefined : `it did not refuse: ${answerInWords(answer)}`;
    case "accepted":
      return answer.is !== "fields" ? answerInWords(answer) : countWrong(answer.fields.length, step);
    case "fields":
      if (answer.is !== "fields") return answerInWords(answer);
      return sameLists(sight.lists, answer.fields) ? undefined : `it decoded to other fields: ${answerInWords(answer)}`;
    case "marked fields":
    case "unmarked fields": {
      if (answer.is !== "fields") return answerInWords(answer);
      if (!sameLists(sight.lists, answer.fields)) return `it decoded to other fields: ${answerInWords(answer)}`;
      const marks = sight.see === "marked fields";
      const wrong = answer.fields.flat().find(([, , got], at) => (got === true) !== (marks && sight.lists.flat()[at]?.[2] === true));
      return wrong === undefined ? undefined : `it ${wrong[2] === true ? "marked" : "did not mark"} ${wrong[0]} as never indexed`;
    }
    case "round trip":
      return roundTrip(step, answer);
    case "blocks": {
      const wrong = roundTrip(step, answer);
      if (wrong !== undefined || answer.is !== "blocks") return wrong;
      const same = answer.blocks.join(" ").toLowerCase() === sight.blocks.join(" ").toLowerCase();
      return same ? undefined : `it encoded otherwise: ${answerInWords(answer)}`;
    }
    case "holds": {
      const wrong = roundTrip(step, answer);
      if (wrong !== undefined || answer.is !== "blocks" || step.do !== "encode") return wrong;
      return broken(sight.property, step, answer.blocks.map(fromHex));
    }
  }
}

const countWrong = (count: number, step: Step): string | undefined => {
  const asked = step.do === "decode" ? step.blocks.length : step.lists.length;
  return count === asked ? undefined : `it answered ${count} where ${asked} were due`;
};

const sameLists = (
  wanted: readonly (readonly FieldSpec[])[],
  got: readonly (readonly (readonly [string, string, boolean?])[])[],
): boolean =>
  wanted.length === got.length &&
  wanted.every((list, at) => {
    const other = got[at] ?? [];
    return list.length === other.length && list.every(([name, value], field) => name === other[field]?.[0] && value === other[field]?.[1]);
  });

/** Decodes the blocks of an encoder in order with our own decoder, within the current limits. */
function roundTrip(step: Step, answer: CodecAnswer): string | undefined {
  if (answer.is !== "blocks" || step.do !== "encode") return answerInWords(answer);
  const wrong = countWrong(answer.blocks.length, step);
  if (wrong !== undefined) return wrong;
  const decoder = blockDecoder();
  for (const [at, block] of answer.blocks.entries()) {
    for (const size of limitsBefore(step, at)) decoder.limit(size);
    const decoded = decoder.decode(fromHex(block));
    if ("problem" in decoded) return `block ${at + 1} does not decode: ${decoded.problem}`;
    if (!sameLists([step.lists[at] ?? []], [decoded.fields])) return `block ${at + 1} decodes to something else`;
  }
  return undefined;
}
