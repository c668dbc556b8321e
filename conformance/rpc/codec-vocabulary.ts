import type { Asked, Sight } from "../../vectors/rpc/question.ts";
import type { OneQuestion } from "../harness/subject/codec.ts";

/**
 * What a case for RPC codecs can ask. The subject is a child process that reads one JSON request per line and answers each with one line
 * (`vectors/README.md`); `driver/codec.ts` performs the step. What it can observe is defined beside the vectors.
 */

/** The question: the messages of a stream, or one value to read or to write. */
export type Step = AsStep<Asked>;
type AsStep<A extends Asked> = A extends unknown ? { readonly do: A["op"] } & Readonly<Omit<A, "op">> : never;

/** Sights of a subject that refuses. */
export const REFUSALS = ["refused"] as const satisfies readonly Sight["see"][];

/** A case for codecs. */
export type CodecCase = OneQuestion<Step, Sight> & {
  /** What the codec must answer to the control. */
  readonly controlSees: Sight;
};
