import type { ReadField } from "../../../wire/http2/read.ts";
import type { CallReport } from "../../client-vocabulary.ts";
import type { WebCallSpec } from "../../web-client-vocabulary.ts";

/** A request before it is sent. */
export type Sent = {
  readonly verb: string;
  readonly target: string;
  readonly fields: readonly ReadField[];
  readonly content: Uint8Array;
};
/** An answer as it came. */
export type Got = {
  readonly http: number;
  readonly fields: readonly ReadField[];
  /** Without its Base64. */
  readonly content: Uint8Array;
  readonly isWhole: boolean;
  readonly parts: readonly Uint8Array[];
};

/**
 * What a client of the web dialects does wrong. The base speaks HTTP/1.1, reports OK for everything without an error that it understands,
 * also at deadlines, and leaves no call.
 */
export type WebClientFlaw = {
  readonly about: string;
  /** Never reports. */
  readonly silent?: true;
  /** Reports UNAVAILABLE without a request. */
  readonly slams?: true;
  readonly messages?: (messages: readonly Uint8Array[]) => readonly Uint8Array[];
  readonly envelope?: (envelope: Uint8Array) => Uint8Array;
  readonly sent?: (sent: Sent, call: WebCallSpec) => Sent;
  readonly got?: (got: Got) => Got;
  readonly report?: (report: CallReport, got: Got) => CallReport;
  /** Compresses nothing, but says so. */
  readonly lies?: true;
  /** What it reports at a deadline, and of a call that is cancelled; OK by default. */
  readonly deadline?: number;
  readonly cancelled?: number;
  /** Leaves calls that are over. */
  readonly leaves?: true;
  /** Decompresses content of no octets. */
  readonly inflatesNothing?: true;
  /** Decompresses whatever looks compressed. */
  readonly inflatesAll?: true;
  /** Makes no call after one that failed. */
  readonly givesUp?: true;
};
