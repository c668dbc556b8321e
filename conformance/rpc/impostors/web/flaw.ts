import type { ReadField } from "../../../wire/http2/read.ts";
import type { Entry, Plan } from "../../../wire/rpc/contract.ts";

export type Fields = readonly ReadField[];
/** An error in JSON before it is written. */
export type ErrorJson = Readonly<Record<string, unknown>>;
/** A written answer. */
export type Written = { readonly http: number; readonly fields: Fields; readonly content: readonly Uint8Array[] };
/** What is known of a request. */
export type Request = {
  readonly verb: string;
  readonly target: string;
  readonly fields: Fields;
  readonly content: Uint8Array;
  readonly chunks: readonly Uint8Array[];
};

/** What a server of the web dialects does wrong. The base answers everything with OK, heeds the plan, and checks nothing. */
export type WebFlaw = {
  readonly about: string;
  readonly mute?: true;
  /** Drops every connection at its first request. */
  readonly slams?: true;
  /** Takes the content of a request otherwise. */
  readonly request?: (request: Request) => Request;
  readonly plan?: (plan: Plan) => Plan;
  readonly payload?: (payload: Uint8Array) => Uint8Array;
  readonly number?: (number: number) => number;
  /** The metadata that its handler sees. */
  readonly metadata?: (metadata: readonly Entry[]) => readonly Entry[];
  readonly left?: (leftMs: number | undefined) => number | undefined;
  readonly status?: (status: number) => number;
  readonly error?: (error: ErrorJson) => unknown;
  /** The last message of a stream of connect; the trailers of grpc-web. */
  readonly end?: (end: ErrorJson) => unknown;
  readonly trailers?: (lines: string) => string;
  /** Envelopes, of which the last is the end. */
  readonly envelopes?: (envelopes: readonly Uint8Array[]) => readonly Uint8Array[];
  readonly written?: (written: Written) => Written;
  /** Refuses each call with this status. */
  readonly refuses?: number;
  /** Answers only when the request is whole. */
  readonly patient?: true;
  /** Checks what it reads, and refuses what is wrong with this status. */
  readonly strict?: number;
  /** Compresses whatever it likes. */
  readonly zips?: true;
  /** Decompresses content of no octets. */
  readonly inflatesNothing?: true;
};
