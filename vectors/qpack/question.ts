import { DecoderStreamReader } from "../../reference/qpack/index.ts";
import type { CodecAnswer } from "../codec.ts";
import { about, ACCEPTED, type Question, type Questions, refusal, show, unexpected } from "../question.ts";
import type { Answers, DecodedSection, QpackVector } from "./source/craft.ts";

/** What a codec is asked: to decode what arrives, in order. */
export type DecodeQuestion = { readonly op: "qpack-decode" } & Pick<QpackVector, "capacity" | "blocked" | "steps">;

/** What a codec may do. */
export type Sight =
  /** It decodes exactly these sections in this order, and its decoder stream says this. */
  | { readonly see: "decoded"; readonly sections: readonly DecodedSection[]; readonly answers: Answers; readonly capacity: number }
  /** It refuses; with another code, if it names one, that is wrong. */
  | { readonly see: "refused"; readonly code?: number };

export const askedOf = ({ capacity, blocked, steps }: QpackVector): DecodeQuestion => ({ op: "qpack-decode", capacity, blocked, steps });

/** What the specification permits in answer to a vector, the strict answer first. */
export function permittedOf({ result, sections, answers, capacity, code }: QpackVector): readonly [Sight, ...Sight[]] {
  const refused: Sight = { see: "refused", ...(code === undefined ? {} : { code }) };
  const decoded: Sight = { see: "decoded", sections, answers, capacity };
  return result === "invalid" ? [refused] : result === "valid" ? [decoded] : [decoded, refused];
}

/** Why an answer differs from a sight; undefined if it does not. */
export function unlike(sight: Sight, answer: CodecAnswer): string | undefined {
  if (answer.is === "error") return sight.see === "refused" ? undefined : refusal(answer.error);
  if (answer.is !== "messages") return unexpected(answer);
  const { messages, error, code } = answer;
  if (sight.see === "refused") {
    if (error === undefined) return ACCEPTED;
    return code === undefined || sight.code === undefined || code === sight.code
      ? undefined
      : `it was refused with ${hexOf(code)}, not ${hexOf(sight.code)}`;
  }
  if (error !== undefined) return refusal(error);
  const said = messages.find((one) => typeof one["answers"] === "string")?.["answers"];
  return (
    sectionsUnlike(
      sight.sections,
      messages.filter((one) => "stream" in one),
    ) ?? answersUnlike(sight, typeof said === "string" ? said : "")
  );
}

const hexOf = (code: number): string => `0x${code.toString(16).padStart(4, "0")}`;

/** A codec may leave out the never-indexed mark, but not contradict it. */
function sectionsUnlike(wanted: readonly DecodedSection[], got: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  for (const [at, { stream, fields }] of wanted.entries()) {
    const section = got[at];
    if (section === undefined) return `it decoded ${got.length} sections, not ${wanted.length}`;
    if (section["stream"] !== stream) return `section ${at + 1} is of stream ${show(section["stream"])}, not ${stream}`;
    const list = Array.isArray(section["fields"]) ? (section["fields"] as unknown[]) : [];
    if (list.length !== fields.length) return `section ${at + 1} has ${list.length} fields, not ${fields.length}`;
    for (const [nth, [name, value, never]] of fields.entries()) {
      const field = (Array.isArray(list[nth]) ? list[nth] : []) as unknown[];
      if (field[0] !== name || field[1] !== value) return `section ${at + 1} has ${show(field)} where ${show([name, value])} is expected`;
      if (never === true && field[2] === false) return `section ${at + 1}: ${show(field)} has lost its never-indexed mark`;
    }
  }
  return got.length > wanted.length ? `it decoded ${got.length} sections, not ${wanted.length}` : undefined;
}

/** Reads the decoder stream as an encoder does: increments may come late and joined, but never for more than there is. */
function answersUnlike({ answers, capacity }: Extract<Sight, { see: "decoded" }>, hex: string): string | undefined {
  const said: (readonly [string, number])[] = [];
  const required = [...(answers.required ?? [])];
  let known = 0;
  let wrong: string | undefined;
  const broken = new DecoderStreamReader((one) => {
    if (one.is === "increment") {
      known += one.by;
      if (one.by === 0) wrong ??= "its decoder stream has an increment of 0";
      if (known > answers.inserted) wrong ??= `its decoder stream confirms ${known} insertions of ${answers.inserted}`;
    } else {
      said.push([one.is, one.streamId]);
      if (one.is === "acknowledgment") known = Math.max(known, required.shift() ?? 0);
    }
    return undefined;
  }).receive(Buffer.from(hex, "hex"));
  if (broken !== undefined) return `its decoder stream cannot be read: ${broken.name}`;
  if (wrong !== undefined) return wrong;
  // Without a table nothing has to be cancelled (rfc9204#2.2.2.2).
  const counts = (one: readonly [string, number]): boolean => capacity > 0 || one[0] !== "cancellation";
  const [expected, got] = [answers.said.filter(counts), said.filter(counts)];
  return JSON.stringify(expected) === JSON.stringify(got) ? undefined : `its decoder stream says ${show(got)}, not ${show(expected)}`;
}

/** The questions about QPACK, by kind. */
export const QUESTIONS: Questions = {
  "qpack-decode": about((vector: QpackVector): Question => ({
    request: askedOf(vector),
    judge(answer) {
      const [strict, ...others] = permittedOf(vector);
      const wrong = unlike(strict, answer);
      return wrong === undefined || others.some((sight) => unlike(sight, answer) === undefined) ? undefined : wrong;
    },
  })),
};
