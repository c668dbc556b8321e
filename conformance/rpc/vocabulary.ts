import type { Case } from "../harness/case.ts";
import type { ErrorName, FieldSpec, FrameSpec, SettingName } from "../wire/http2/frame-spec.ts";
import type { Method, Plan, State } from "../wire/rpc/contract.ts";
import type { EnvelopeSpec } from "../wire/rpc/envelopes.ts";
import type { FieldOf } from "../wire/rpc/parts.ts";
import type { StatusName } from "../wire/rpc/statuses.ts";

/**
 * What a case for RPC servers can send and observe. Cases are plain data; `driver/` performs them. A call is named by the number of its
 * stream. `{rpc}` in the name or the value of a field is the prefix of the dialect: `{rpc}-timeout` is `grpc-timeout` in the dialect grpc.
 */

export type { StatusName } from "../wire/rpc/statuses.ts";
export type { Plan } from "../wire/rpc/contract.ts";
export type { FieldSpec, FrameSpec } from "../wire/http2/frame-spec.ts";

/** A value of an earlier answer (the step `keep`), or of the connection (the step `find socket`); of a number, so much more. */
export type Kept = { readonly kept: string; readonly plus?: number };
/** Numbers, texts, and what was kept. */
type Value = number | string | Kept;
/** A message of a standard service, field by field. */
export type MessageFields = readonly FieldOf<Value | MessageFields>[];

/**
 * What is expected of the values at one place of a message: the numbers of the fields that lead there, from the outside. Each repeated field on the
 * way gives all its values; one that is left out gives none, and a 0 counts as left out.
 */
export type Fact = {
  readonly at: readonly number[];
  /** Exactly these, in order. */
  readonly are?: readonly Value[];
  readonly include?: Value;
  readonly exclude?: Value;
  /** One value or more, none of them smaller, or greater. */
  readonly from?: number | Kept;
  readonly to?: number;
  /** How many values. */
  readonly count?: readonly [least: number, most: number];
  /** Each is greater than the one before it. */
  readonly rise?: true;
  /** Each stands at this place, too. */
  readonly among?: readonly number[];
};

/** A message of ours: a Request with this payload, or raw octets, in its envelope. */
export type MessageSpec = EnvelopeSpec & {
  /** Text; "touchstone" by default. */
  readonly payload?: string;
  /** Instead of a text: so many octets, which count from 0 to 250. */
  readonly size?: number;
  readonly plan?: Plan;
  /** Instead of a Request: octets in hex. */
  readonly hex?: string;
  /** Instead of a Request: a message with these fields. */
  readonly fields?: MessageFields;
};

/** What the harness does to the subject, in order. */
export type Step =
  /** The preface with SETTINGS, then both acknowledgements. */
  | { readonly do: "handshake"; readonly settings?: readonly (readonly [SettingName, number])[] }
  /** The header section of a call. */
  | {
      readonly do: "call";
      readonly call: number;
      /** A method of the conformance service; Unary by default. */
      readonly method?: Method;
      /** Another path. */
      readonly path?: string;
      /** Fields behind those that every call has. */
      readonly fields?: readonly FieldSpec[];
      /** Values instead of the usual ones, by name; `false` leaves the field out. */
      readonly replace?: Readonly<Record<string, string | false>>;
      /** In several frames: so many octets of the block in HEADERS, the rest in CONTINUATION. */
      readonly split?: number;
      /** With END_STREAM. */
      readonly end?: true;
      readonly pad?: number;
    }
  /** Messages on a call, in one DATA frame unless they are cut. */
  | {
      readonly do: "say";
      readonly call: number;
      readonly messages: readonly MessageSpec[];
      /** END_STREAM on the last frame. */
      readonly end?: true;
      /** DATA frames of this many octets. */
      readonly cut?: number;
      /** Where the octets are cut into DATA frames, as offsets. */
      readonly cutAt?: readonly number[];
      /** An empty DATA frame behind every frame. */
      readonly empty?: true;
      readonly pad?: number;
      /** As the windows of the subject permit, with waiting; without it all is sent at once. */
      readonly patient?: true;
    }
  /** An empty DATA frame with END_STREAM. */
  | { readonly do: "end"; readonly call: number }
  | { readonly do: "reset"; readonly call: number; readonly code: ErrorName }
  /** The same steps so many times, on further streams each time. */
  | { readonly do: "repeat"; readonly times: number; readonly steps: readonly Step[] }
  | { readonly do: "frames"; readonly frames: readonly FrameSpec[]; readonly cut?: number }
  /** Waits for this sight; a subject that never shows it fails the case here. */
  | { readonly do: "await"; readonly see: Sight }
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight }
  | { readonly do: "settings"; readonly settings: readonly (readonly [SettingName, number])[] }
  /** Ends the connection at once. */
  | { readonly do: "drop" }
  | { readonly do: "hold windows" | "release windows" | "half-close" | "close" }
  /** A call of Unary on a new stream, whose answer is waited for. */
  | { readonly do: "fence" }
  /** Asks Fate about the call with this name until its state is one of these, or the time is over. */
  | { readonly do: "ask"; readonly name: string; readonly until: readonly State[]; /** On a new connection. */ readonly elsewhere?: true }
  /**
   * Asks channelz, on a connection of its own, for the socket of the case's connection, by its port. Keeps `server` and `socket` (their ids), and
   * `our address`, `our port`, `their address`, `their port` of the connection; over TLS also `cipher`, `our certificate` and `their certificate`.
   */
  | { readonly do: "find socket" }
  /** Calls a method of channelz on that connection, again and again until the sight of its answer is seen or the time is over. Keeps `window`, which the subject has granted us. */
  | { readonly do: "inquire"; readonly method: string; readonly fields?: MessageFields; readonly until?: Sight }
  /** Keeps the first value at this place under a name: of the answer to the last inquiry, or of the first message on a call. */
  | {
      readonly do: "keep";
      readonly as: string;
      readonly at: readonly number[];
      readonly call?: number;
      /** Without a value there. */ readonly absent?: number;
    };

/** What is compared of fields: a value, any of several, or `false` for none. */
export type Wanted = Readonly<Record<string, string | readonly string[] | false>>;
/** What is expected of a finished call. */
export type Ended = {
  readonly call: number;
  /** Texts of all payloads, in order. */
  readonly payloads?: readonly string[];
  /** Their sizes. */
  readonly sizes?: readonly number[];
  readonly numbers?: readonly number[];
  /** The octets of all messages, in hex. */
  readonly octets?: readonly string[];
  /** The facts of each message. */
  readonly says?: readonly (readonly Fact[])[];
  /** The message of the status, decoded. */
  readonly message?: string;
  /** The message of the status contains all of these, without regard to case. */
  readonly mentions?: readonly string[];
  /** In hex. */
  readonly details?: string;
  /** Fields of the response headers, and of the trailers. Values of one name are joined by commas; those in -bin are compared as octets in hex. */
  readonly headers?: Wanted;
  readonly trailers?: Wanted;
  /** Metadata that the handler saw, joined and compared likewise. */
  readonly metadata?: Wanted;
  /** The milliseconds that the handler had left; `false` for no deadline. */
  readonly left?: readonly [least: number, most: number] | false;
  /** Whether each message was compressed. */
  readonly compressed?: readonly boolean[];
  readonly form?: "trailers only" | "headers and trailers";
};
/** One error code, or any of several. */
export type CodeSight = ErrorName | readonly ErrorName[] | "any error";

/** What may be observed of the subject. */
export type Sight =
  /** The call ended with the status that its handler chose; OK by default. */
  | (Ended & { readonly see: "answer"; readonly status?: StatusName | number })
  /** The call ended with a status of the server itself. */
  | (Ended & { readonly see: "failed"; readonly status: StatusName | readonly StatusName[] | "any" })
  /** The answer has this HTTP status, and may have a status of the protocol, too. */
  | { readonly see: "http"; readonly call: number; readonly status: number | readonly number[] }
  | { readonly see: "reset"; readonly call: number; readonly code: CodeSight }
  | { readonly see: "goaway"; readonly code: CodeSight }
  /** The connection ended without a GOAWAY that names an error. */
  | { readonly see: "closed" }
  /** The call has begun its answer: its response headers. */
  | { readonly see: "headers"; readonly call: number; readonly headers?: Wanted }
  /** At least so many messages have arrived; the call may go on. */
  | {
      readonly see: "messages";
      readonly call: number;
      readonly count: number;
      /** The facts of each of the first ones. */ readonly says?: readonly (readonly Fact[])[];
    }
  /** The call has not ended. */
  | { readonly see: "going on"; readonly call: number }
  /** The answer to the last inquiry; with OK by default. */
  | { readonly see: "told"; readonly status?: StatusName; readonly facts?: readonly Fact[] }
  /** The answer lists encodings that the server accepts, and not this one. */
  | { readonly see: "lists"; readonly call: number; readonly without: string }
  /** Neither headers nor an end. */
  | { readonly see: "open"; readonly call: number }
  /** Not more messages than this have arrived. */
  | { readonly see: "at most"; readonly call: number; readonly count: number }
  /** The last report of Fate. */
  | { readonly see: "fate"; readonly state: State; readonly requests?: number }
  | { readonly see: "settings"; readonly name: SettingName; readonly least: number }
  | { readonly see: "pong"; readonly hex: string }
  /** The answers of all calls have this property (`driver/monitors.ts`). */
  | { readonly see: "holds"; readonly monitor: string }
  | { readonly see: "all"; readonly of: readonly Sight[] }
  | { readonly see: "any"; readonly of: readonly Sight[] };

/** Sights of a subject that refuses. */
export const REFUSALS = ["failed", "http", "reset", "goaway", "closed"] as const satisfies readonly Sight["see"][];

/** A case for servers. After the last step a good call on the same connection must be answered, unless an allowed outcome ends it. */
export type RpcCase = Case<Step, Sight>;
