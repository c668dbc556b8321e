import type { Asked, Reading } from "../../vectors/websocket/question.ts";
import type { Outcome as AnyOutcome } from "../harness/case.ts";
import type { OneQuestion } from "../harness/subject/codec.ts";

/**
 * What a case for WebSocket codecs can ask and observe. The subject is a child process that reads one JSON request per line and answers each
 * with one line (`vectors/README.md`); `driver/codec.ts` performs the step.
 */

/** The question: octets after the opening handshake, a handshake request, or a handshake response. */
export type Step = AsStep<Asked>;
type AsStep<A extends Asked> = A extends unknown ? { readonly do: A["op"] } & Readonly<Omit<A, "op">> : never;

/** What a codec does with octets. */
export type Sight =
  /** It returned exactly these messages, or this answer to a handshake, and reported no error. */
  | { readonly see: "read"; readonly messages: Reading["messages"] }
  /** It returned the messages before the fault, and reported an error. */
  | { readonly see: "refused"; readonly messages: Reading["messages"] };

/** Sights of a subject that refuses. */
export const REFUSALS = ["refused"] as const satisfies readonly Sight["see"][];

/** A sight that a case allows; all but the first cite what permits them. */
export type Outcome = AnyOutcome<Sight>;
/** A case for codecs. */
export type CodecCase = OneQuestion<Step, Sight> & {
  /** What the codec must read in the control. */
  readonly controlReads: Reading["messages"];
};
