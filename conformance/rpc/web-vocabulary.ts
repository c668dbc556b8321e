import type { Case } from "../harness/case.ts";
import type { FieldSpec } from "../wire/http2/frame-spec.ts";
import type { Method, Plan, State } from "../wire/rpc/contract.ts";
import type { EnvelopeSpec } from "../wire/rpc/envelopes.ts";
import type { StatusName } from "../wire/rpc/statuses.ts";
import type { WebForm } from "../wire/rpc/web-forms.ts";

/**
 * What a case for servers of the dialects connect and grpc-web can send and observe. Each call has a connection of its own, over the version of
 * HTTP that the first step names.
 */

export const VERSIONS = ["http1", "http2"] as const;
export type Version = (typeof VERSIONS)[number];

/** A message of ours: a Request with this payload, or raw octets; in an envelope if the form of the call has them. */
export type WebMessage = EnvelopeSpec & {
  /** Text; "touchstone" by default. */
  readonly payload?: string;
  /** Instead of a text: so many octets, which count from 0 to 250. */
  readonly size?: number;
  readonly plan?: Plan;
  /** Instead of a Request: octets in hex, or text. */
  readonly hex?: string;
  readonly text?: string;
};

/** What the harness does to the subject, in order. */
export type WebStep =
  | { readonly do: "via"; readonly version: Version }
  | {
      readonly do: "call";
      readonly call: number;
      readonly form: WebForm;
      /** A method of the conformance service; Unary by default. */
      readonly method?: Method;
      /** Another path, and another method of HTTP. */
      readonly path?: string;
      readonly verb?: string;
      /** Of a GET: parameters in order. `{message}` is the message percent-encoded, `{base64}` and `{padded}` are it in Base64. */
      readonly query?: readonly (readonly [name: string, value: string])[];
      /** Fields behind those that every call has. */
      readonly fields?: readonly FieldSpec[];
      /** Values instead of the usual ones, by name; `false` leaves the field out. */
      readonly replace?: Readonly<Record<string, string | false>>;
      /** One by default. */
      readonly messages?: readonly WebMessage[];
      /** The request is octets, although the form, that of the response, is text. */
      readonly inOctets?: true;
      /** The request goes on. */
      readonly open?: true;
      /** Octets of each chunk or DATA frame. */
      readonly cut?: number;
    }
  /** More messages on an open call. */
  | { readonly do: "say"; readonly call: number; readonly messages: readonly WebMessage[]; readonly end?: true }
  /** Waits for this sight; a subject that never shows it fails the case here. */
  | { readonly do: "await"; readonly see: WebSight }
  /** Drops the connection of a call. */
  | { readonly do: "leave"; readonly call: number }
  /** Asks Fate about the call with this name until its state is one of these, or the time is over. */
  | { readonly do: "ask"; readonly name: string; readonly until: readonly State[] };

/** What is compared of fields: a value, or `false` for none. Values of one name are joined by commas; those in -bin are octets in hex. */
export type WebWanted = Readonly<Record<string, string | false>>;
/** What is expected of a finished call. */
export type WebEnded = {
  readonly call: number;
  readonly payloads?: readonly string[];
  readonly sizes?: readonly number[];
  readonly numbers?: readonly number[];
  readonly message?: string;
  /** The message of the status contains it, without regard to case. */
  readonly mentions?: string;
  /** Details of the error: types, and octets in hex. */
  readonly details?: readonly (readonly [type: string, hex: string])[];
  readonly headers?: WebWanted;
  readonly trailers?: WebWanted;
  /** Metadata that the handler saw. */
  readonly metadata?: WebWanted;
  /** The milliseconds that the handler had left; `false` for no deadline. */
  readonly left?: readonly [least: number, most: number] | false;
};

/** What may be observed of the subject. */
export type WebSight =
  /** The call ended with the status that its handler chose; OK by default. */
  | (WebEnded & { readonly see: "answer"; readonly status?: StatusName })
  /** The call ended with a status of the server itself. */
  | (WebEnded & { readonly see: "failed"; readonly status: StatusName | "any" })
  | { readonly see: "http"; readonly call: number; readonly status: readonly number[] }
  /** At least so many messages have arrived; the call may go on. */
  | { readonly see: "messages"; readonly call: number; readonly count: number }
  /** The connection ended without a whole answer. */
  | { readonly see: "cut off"; readonly call: number }
  /** The last report of Fate. */
  | { readonly see: "fate"; readonly state: State }
  /** The answers of all calls have this property (`driver/web/monitors.ts`). */
  | { readonly see: "holds"; readonly monitor: string }
  | { readonly see: "all"; readonly of: readonly WebSight[] }
  | { readonly see: "any"; readonly of: readonly WebSight[] };

/** Sights of a subject that refuses. */
export const WEB_REFUSALS = ["failed", "http", "cut off"] as const satisfies readonly WebSight["see"][];

/** A case for servers. After the last step a good call on a new connection must be answered. */
export type WebCase = Case<WebStep, WebSight>;
