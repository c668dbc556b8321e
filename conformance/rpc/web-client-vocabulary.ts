import type { Case } from "../harness/case.ts";
import type { FieldSpec } from "../wire/http2/frame-spec.ts";
import type { StatusName } from "../wire/rpc/statuses.ts";
import type { CallSpec, ChannelSpec } from "./client-vocabulary.ts";
import type { WebMessage, WebWanted } from "./web-vocabulary.ts";

/**
 * What a case for clients of the dialects connect and grpc-web asks of its subject, what the harness answers, and what it observes. The client
 * chooses the version of HTTP. Calls and requests are named by their places, from 1, as in `client-vocabulary.ts`.
 */

/** One call, as the adapter reads it (README.md). */
export type WebCallSpec = CallSpec & {
  /** Its method has no side effects: it is sent as GET. */
  readonly get?: true;
};
/** The channel of a description. */
export type WebChannelSpec = ChannelSpec & {
  /** Of connect: the format of messages; `proto` by default. */
  readonly format?: "proto" | "json";
  /** Of grpc-web: content in Base64. */
  readonly text?: true;
};

/** A step that is about a request; the first by default. It waits until the head of the request is there. */
type About = { readonly request?: number };

/** What the harness does, in order. It answers requests that no step mentions with OK. */
export type WebClientStep =
  /** The description: first of all. */
  | {
      readonly do: "ask";
      readonly calls: readonly WebCallSpec[];
      /** Calls that begin when those before have ended. */
      readonly later?: readonly WebCallSpec[];
      readonly channel?: WebChannelSpec;
      /** Without the good call behind all others. */
      readonly fence?: false;
    }
  /** The head of the answer, with the content type that the request asks for. */
  | (About & {
      readonly do: "head";
      readonly status?: number;
      readonly fields?: readonly FieldSpec[];
      /** Another content type; `false` leaves it out. */
      readonly type?: string | false;
    })
  /** Messages, in envelopes if the form of the call has them. */
  | (About & { readonly do: "say"; readonly messages: readonly WebMessage[]; readonly cut?: number })
  /** Content as it is. */
  | (About & { readonly do: "content"; readonly text?: string; readonly hex?: string; readonly compress?: "gzip"; readonly cut?: number })
  /** The envelope that says how the call ended: of connect an object in JSON, of grpc-web lines. */
  | (About & {
      readonly do: "last";
      readonly text: string;
      readonly compress?: "gzip";
      readonly keep?: number;
      readonly cut?: number;
    })
  /** The end of the content. */
  | (About & { readonly do: "close" })
  /** The answer is broken off: the connection ends over HTTP/1.1, the stream is reset over HTTP/2. */
  | (About & { readonly do: "drop" })
  | { readonly do: "await"; readonly see: WebClientSight }
  | { readonly do: "wait"; readonly ms: number };

export type WebAsk = Extract<WebClientStep, { do: "ask" }>;

/** What is expected of a call as reported. */
export type WebReported = {
  readonly call?: number;
  /** Payloads of all messages. */
  readonly payloads?: readonly string[];
  readonly sizes?: readonly number[];
  readonly message?: string;
  /** Details of the error: types, and octets in hex. */
  readonly details?: readonly (readonly [type: string, hex: string])[];
  readonly headers?: WebWanted;
  readonly trailers?: WebWanted;
};

/** What may be observed of the subject. */
export type WebClientSight =
  /** The call ended with this status, which the server sent or the text defines; OK by default. */
  | (WebReported & { readonly see: "answer"; readonly status?: StatusName })
  /** The call failed with a status of the client, since it does not accept what came. */
  | (WebReported & { readonly see: "failed"; readonly status: StatusName | "any" })
  /** The request arrived, with all of this. */
  | {
      readonly see: "request";
      readonly request?: number;
      readonly verb?: string;
      readonly path?: string;
      readonly fields?: WebWanted;
      readonly ended?: boolean;
      readonly payloads?: readonly string[];
      readonly sizes?: readonly number[];
      /** The encoding of each message; `false` for none. */
      readonly compressed?: readonly (string | false)[];
      /** The milliseconds of its timeout; `false` for none. */
      readonly timeout?: readonly [least: number, most: number] | false;
    }
  /** So many requests came in all, without the fence. */
  | { readonly see: "requests"; readonly count: number }
  /** The client has left the call: it reset the stream, or ended the connection. */
  | { readonly see: "left"; readonly request?: number }
  /** The requests have this property (`driver/web-client/monitors.ts`). */
  | { readonly see: "holds"; readonly monitor: string }
  | { readonly see: "all"; readonly of: readonly WebClientSight[] }
  | { readonly see: "any"; readonly of: readonly WebClientSight[] };

/** Sights of a subject that refuses. */
export const WEB_CLIENT_REFUSALS = ["failed"] as const satisfies readonly WebClientSight["see"][];

/** A case for clients. After its calls a good call on the same channel must succeed, unless the description says otherwise. */
export type WebClientCase = Case<WebClientStep, WebClientSight>;
