import type { ReadField } from "../../wire/http2/read.ts";
import type { Entry, Fate, Plan } from "../../wire/rpc/contract.ts";
import type { Flaw } from "../../http2/impostors/peer.ts";
import type { StandardFlaw } from "./standard-flaw.ts";

export type Fields = readonly ReadField[];
/** The names of a call's own fields, by their prefix. */
export type Names = (name: string) => string;

/** What a server of calls does wrong. The base answers everything with OK, heeds the plan, and checks nothing. */
export type RpcFlaw = Flaw & {
  /** What it makes of each request. */
  readonly plan?: (plan: Plan) => Plan;
  readonly payload?: (payload: Uint8Array) => Uint8Array;
  readonly number?: (number: number) => number;
  /** The metadata that its handler sees. */
  readonly metadata?: (metadata: readonly Entry[]) => readonly Entry[];
  readonly left?: (leftMs: number | undefined) => number | undefined;
  readonly head?: (fields: Fields, names: Names) => Fields;
  readonly trailers?: (fields: Fields, names: Names) => Fields;
  readonly envelope?: (envelope: Uint8Array) => Uint8Array;
  readonly fate?: (fate: Fate) => Fate;
  /** The status, given the one that is due. */
  readonly status?: (status: number) => number;
  /** Answers when the first message is whole, however many follow. */
  readonly hasty?: true;
  /** Reads a message from each DATA frame alone. */
  readonly byFrame?: true;
  /** Sends headers first even without a message. */
  readonly wholeAnswers?: true;
  /** Refuses each call with this status, or with this HTTP status. */
  readonly refuses?: number;
  readonly http?: number;
  /** Ends with DATA. */
  readonly endsWithData?: true;
  /** Sends nothing after the first message. */
  readonly stops?: true;
  /** Cancels a call when it is reset. */
  readonly heedsResets?: true;
  /** Resets the stream behind its answer. */
  readonly resetsLate?: true;
  /** Checks what it reads like a strict server, and fails with this status. */
  readonly strict?: number;
  /** Answers the calls of a connection one after the other. */
  readonly oneByOne?: true;
  /** Collects all responses of a call, and sends them at its end. */
  readonly collects?: true;
  readonly http1xx?: true;
  /** Answers nothing after so many frames of a connection. */
  readonly tiresAfter?: number;
  /** It is reached over TLS; mutual TLS asks for a client certificate. */
  readonly over?: "TLS" | "mutual TLS";
  /** In the standard services. */
  readonly standard?: StandardFlaw;
};
