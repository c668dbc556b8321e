import type { CodecAnswer } from "../../../vectors/codec.ts";
import { judgePage } from "../../../vectors/exposition/question.ts";
import { type CodecOptions, type CodecWords, OneQuestionDriver, short } from "../../harness/subject/codec.ts";
import { printable } from "../../wire/octets.ts";
import type { CodecCase, Sight, Step } from "../codec-vocabulary.ts";

/** Optional features that cases need of a reader. */
export const CODEC_FEATURES: Readonly<Record<string, string>> = {
  "exposition-text": "the codec knows exposition-text",
  "exposition-openmetrics": "the codec knows exposition-openmetrics",
};
/** One request for each feature. */
const FIRST: Readonly<Record<string, Step>> = {
  "exposition-text": { do: "exposition-text", page: "first 1\n" },
  "exposition-openmetrics": { do: "exposition-openmetrics", page: "first 1\n# EOF\n" },
};

const WORDS: CodecWords<Step, Sight, CodecCase> = {
  features: CODEC_FEATURES,
  first: FIRST,
  knowsNothing: "The codec knows neither exposition-text nor exposition-openmetrics.",
  startFactor: 1,
  shown: ({ page }) => page,
  answered: inWords,
  unlike,
  refusal: (_, answer) => (answer.is === "samples" ? undefined : inWords(answer)),
  allowed: (see) => (see.see === "read" ? `read as ${short(see.samples)}` : "refused"),
};

/** Performs cases on a reader of pages. */
export class CodecDriver extends OneQuestionDriver<Step, Sight, CodecCase> {
  constructor(options: CodecOptions) {
    super(WORDS, options);
  }
}

/** Why the answer differs from the sight; undefined if it does not. */
function unlike(see: Sight, answer: CodecAnswer): string | undefined {
  if (answer.is === "trouble") return answer.why;
  if (answer.is !== "samples" && answer.is !== "error") return `it answered with ${answer.is}`;
  const said = answer.is === "samples" ? answer : { samples: [], error: answer.error };
  return judgePage(see.see === "read" ? { result: "valid", samples: see.samples } : { result: "invalid" }, said);
}

function inWords(answer: CodecAnswer): string {
  if (answer.is === "samples") return `read ${short(answer.samples)}`;
  if (answer.is === "error") return `refused: ${printable(answer.error, 120)}`;
  return answer.is === "trouble" ? answer.why : `answered with ${answer.is}`;
}
