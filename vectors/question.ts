import type { CodecAnswer } from "./codec.ts";
import type { Vector } from "./load.ts";

/** A request to a codec, and the judgement of its answer. */
export type Question = {
  readonly request: Readonly<Record<string, unknown>>;
  /** One line about what is wrong with the answer; undefined if it is right. */
  judge(answer: CodecAnswer): string | undefined;
};

/** The questions of a protocol, by the kind of the vector file (the name of its schema). */
export type Questions = Readonly<Record<string, (vector: Vector) => Question>>;

/** A question about vectors of one kind. The schema of that kind guarantees the members of `V`. */
export const about =
  <V extends Vector>(question: (vector: V) => Question) =>
  (vector: Vector): Question =>
    question(vector as V);

export const ACCEPTED = "it was accepted, but must be refused";
export const refusal = (error: string): string => `it was refused: ${error}`;
/** The judgement of an answer of the wrong kind. */
export const unexpected = (answer: CodecAnswer): string => (answer.is === "trouble" ? answer.why : `it answered with ${answer.is}`);

/** A value in a message, shortened to `most` characters. */
export function show(value: unknown, most = 100): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
