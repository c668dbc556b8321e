import type { AnyVector } from "../../../vectors/websocket/source/craft.ts";
import type { Kind, Reading } from "../../../vectors/websocket/question.ts";
import type { Case as AnyCase, Outcome as AnyOutcome } from "../../harness/case.ts";

/**
 * The words in which a case for codecs of WebSocket is written. The subject is a child process that reads one JSON request a line and answers
 * each with one line (`vectors/README.md`); `conformance/websocket/driver/codec.ts` performs the step.
 */

/** What is asked: octets behind the opening handshake, the request of a handshake, or the answer to one. */
export type Step = { readonly do: Kind } & Readonly<
  Pick<Partial<AllMembers>, "to" | "wire" | "deflate"> & Pick<Partial<AllMembers>, "octets" | "server" | "client">
>;
type AllMembers = {
  readonly to: "server" | "client";
  readonly wire: string;
  readonly deflate: { readonly bits: number; readonly takeover: boolean };
  readonly octets: string;
  readonly server: Extract<AnyVector, { server: unknown }>["server"];
  readonly client: Extract<AnyVector, { client: unknown }>["client"];
};

/** What a codec can be seen to do with octets. */
export type Sight =
  /** It told exactly these messages, or this answer to a handshake, and refused nothing. */
  | { readonly see: "read"; readonly messages: Reading["messages"] }
  /** It told the messages in front, and refused what is behind them. */
  | { readonly see: "refused"; readonly messages: Reading["messages"] };

/** A sight that a case allows; all but the first cite what permits them. */
export type Outcome = AnyOutcome<Sight>;
/** A case for codecs. The control must be read as what it is. */
export type CodecCase = AnyCase<Step, Sight> & {
  /** What the control is. */
  readonly controlReads: Reading["messages"];
};
