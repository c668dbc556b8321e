import type { Flaw } from "../../http2/impostors/peer.ts";
import type { FieldSpec } from "../../wire/http2/frame-spec.ts";
import type { ReadField } from "../../wire/http2/read.ts";
import type { CallReport, CallSpec } from "../client-vocabulary.ts";
import type { Names } from "./flaw.ts";

/** What came of one attempt, before it is made into a report. */
export type Received = {
  readonly sections: readonly (readonly ReadField[])[];
  readonly octets: Uint8Array;
  /** The code of RST_STREAM, or that the connection ended, or that GOAWAY left the request out. */
  readonly broken?: string;
  readonly endedBy?: "HEADERS" | "DATA";
};

/**
 * What a client of calls does wrong. The base reports OK for everything but a status in the last header section, also at
 * deadlines, sends no RST_STREAM, and knows no retries and no turns.
 */
export type RpcClientFlaw = Flaw & {
  readonly fields?: (fields: readonly FieldSpec[], names: Names, call: CallSpec) => readonly FieldSpec[];
  /** The messages that it sends. */
  readonly messages?: (hex: readonly string[]) => readonly string[];
  readonly envelope?: (envelope: Uint8Array) => Uint8Array;
  readonly report?: (report: CallReport, received: Received) => CallReport;
  /** Leaves its connection open. */
  readonly leaks?: true;
  /** Asks no server for its health. The base asks once, and ignores the answer. */
  readonly noHealth?: true;
  /** Has a connection to each of several addresses, and calls them in turn. The base has one to the first, and no other. */
  readonly spreads?: true;
  /** Spreads its calls by the rates that its servers report last, whatever else they report, and whatever its config says. */
  readonly weighs?: true;
  /** Asks all addresses for streams of reports, every 10 s, if its policy weighs; again at once, a few times, when one has ended. */
  readonly asksLoad?: true;
  /** Never calls an address again after a call to it has failed. */
  readonly givesUp?: true;
  /** Never reports. */
  readonly silent?: true;
  /** Reports UNAVAILABLE without a request. */
  readonly slams?: true;
  /** Reports this status for every call, without a request. */
  readonly only?: number;
  /** Ends every request with HEADERS. */
  readonly endsWithHeaders?: true;
  /** Does not end requests without messages with DATA. */
  readonly endsAtHead?: true;
  /** Makes the calls of a round one after the other. */
  readonly oneByOne?: true;
  /** Reads a message from each DATA frame alone. */
  readonly byFrame?: true;
  /** Sends a call again, this often, after every failure. */
  readonly retries?: number;
  /** The first section is the last, whatever its status. */
  readonly noInterim?: true;
  /** What it reports at a deadline; OK by default. */
  readonly deadline?: number;
  /** Resets a call whose deadline has passed, or that is over before its request ended, with this code. */
  readonly resets?: "CANCEL" | "NO_ERROR" | "INTERNAL_ERROR";
  /** What it reports of a call that is cancelled; OK by default. */
  readonly cancelled?: number;
};
