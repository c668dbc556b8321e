import type { CodecAnswer } from "../../../vectors/codec.ts";
import { type DialectName, type Sight, unlike } from "../../../vectors/rpc/question.ts";
import { READINGS, WRITINGS } from "../../../vectors/rpc/source/craft.ts";
import { type CodecOptions, type CodecWords, OneQuestionDriver, short } from "../../harness/subject/codec.ts";
import { COMPRESSED, firstSteps } from "../cases/codec/twins.ts";
import type { CodecCase, Step } from "../codec-vocabulary.ts";

/** Optional features that cases need of a codec. */
export const CODEC_FEATURES: Readonly<Record<string, string>> = {
  messages: "the codec knows rpc-messages",
  ...Object.fromEntries(Object.keys(COMPRESSED).map((encoding) => [encoding, `the codec knows ${encoding}`])),
  ...Object.fromEntries(READINGS.map((of) => [`read-${of}`, `the codec knows rpc-read of ${of}`])),
  ...Object.fromEntries(WRITINGS.map((of) => [`write-${of}`, `the codec knows rpc-write of ${of}`])),
};

const UNIMPLEMENTED = 12;

const wordsIn = (dialect: DialectName): CodecWords<Step, Sight, CodecCase> => ({
  features: CODEC_FEATURES,
  first: firstSteps(dialect),
  knowsNothing: "The codec knows none of rpc-messages, rpc-read, rpc-write.",
  startFactor: 10,
  shown: (members) => members,
  answered: inWords,
  // What a server says of an encoding that it does not know (rpc-compression#asymmetry).
  lacks: (feature, answer) => Object.hasOwn(COMPRESSED, feature) && "error" in answer && "code" in answer && answer.code === UNIMPLEMENTED,
  unlike,
  refusal: ({ controlSees }, answer) => unlike(controlSees, answer),
  allowed(see) {
    if (see.see === "written") return `written as ${see.of} that means ${short(see.given)}`;
    const what = see.messages.length === 0 ? "" : see.see === "read" ? ` as ${short(see.messages)}` : ` after ${short(see.messages)}`;
    return `${see.see}${what}`;
  },
});

/** Performs cases on an RPC codec. */
export class CodecDriver extends OneQuestionDriver<Step, Sight, CodecCase> {
  constructor(options: CodecOptions, dialect: DialectName) {
    super(wordsIn(dialect), options);
  }
}

function inWords(answer: CodecAnswer): string {
  if (answer.is === "messages") {
    const said = answer.messages.length === 0 ? [] : [`answered ${short(answer.messages)}`];
    const refused =
      answer.error === undefined ? [] : [`refused: ${answer.error}${answer.code === undefined ? "" : ` (status ${answer.code})`}`];
    return [...said, ...refused].join(" ") || "answered nothing";
  }
  if (answer.is === "error") return `refused: ${answer.error}`;
  return answer.is === "trouble" ? answer.why : `answered with ${answer.is}`;
}
