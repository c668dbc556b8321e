import type { Case } from "../harness/case.ts";
import type { ErrorName, FieldSpec, SettingName } from "../wire/http2/frame-spec.ts";
import type { Step as ClientStep } from "./client-vocabulary.ts";
import type { MessageSpec, StatusName, Wanted } from "./vocabulary.ts";

/**
 * What a case for proxies sends from both ends, and what it observes at both. We are the client, by frames, and the origin, by frames. A call
 * is named by its place among the calls of the client, a request by its place among all that reach the origin; both count from 1. `{rpc}` is
 * the prefix of the dialect, and `{path}` the path of the calls of this performance.
 */

/** What the origin does: as the server of a case for clients. It waits until the headers of the request are there. */
export type OriginStep = Extract<
  ClientStep,
  { readonly do: "headers" | "say" | "trailers" | "reset" | "goaway" | "frames" | "drop" | "settings" }
>;

/** How the origin meets the proxy. */
export type OriginMood = {
  /** SETTINGS of its new connections. */
  readonly settings?: readonly (readonly [SettingName, number])[];
  /**
   * `refuses`: nothing listens. `closes`: it ends each connection at once. `garbage`: it answers in another protocol. `mute`: it accepts
   * connections, and sends nothing.
   */
  readonly is?: "refuses" | "closes" | "garbage" | "mute";
};

export type Step =
  // The client.
  /** The header section of the next call, which has this number. */
  | {
      readonly do: "call";
      readonly call: number;
      readonly fields?: readonly FieldSpec[];
      /** Values instead of the usual ones, by name; `false` leaves the field out. */
      readonly replace?: Readonly<Record<string, string | false>>;
      readonly end?: true;
    }
  /** Messages on a call, in one DATA frame unless they are cut. `patient`: as the windows of the proxy permit. */
  | {
      readonly do: "say";
      readonly call: number;
      readonly messages: readonly MessageSpec[];
      readonly end?: true;
      readonly cut?: number;
      readonly cutAt?: readonly number[];
      readonly empty?: true;
      readonly pad?: number;
      readonly patient?: true;
    }
  | { readonly do: "end"; readonly call: number }
  | { readonly do: "reset"; readonly call: number; readonly code: ErrorName }
  /** Ends the connection of the client at once. */
  | { readonly do: "drop" }
  | { readonly do: "settings"; readonly settings: readonly (readonly [SettingName, number])[] }
  // The origin.
  | { readonly do: "origin"; readonly step: OriginStep }
  /** Ends the connections of the origin; new ones are met in this way. */
  | ({ readonly do: "mood" } & OriginMood)
  /** A message of this size on a response, as the windows of the proxy permit. */
  | { readonly do: "pour"; readonly request?: number; readonly size: number }
  /** The client stops to give windows, or goes on. */
  | { readonly do: "hold windows" | "release windows" }
  /** One message of this size, while the other end gives no windows, until the proxy gives none either; then the rest. */
  | { readonly do: "flood"; readonly from: "client" | "origin"; readonly size: number }
  | { readonly do: "await"; readonly see: Sight }
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight };

/** The response to a call as the client has it. */
type Response = {
  /** The status in its trailers. */
  readonly status?: StatusName | number;
  readonly http?: number;
  /** The decoded message of the status. */
  readonly message?: string;
  readonly headers?: Wanted;
  readonly trailers?: Wanted;
  /** Texts of all messages. */
  readonly messages?: readonly string[];
  readonly count?: number;
  /** Sizes of messages that count from 0 to 250. */
  readonly sizes?: readonly number[];
  /** Messages in hex, as they came. */
  readonly octets?: readonly string[];
  readonly form?: "trailers only" | "headers and trailers";
};

export type Sight =
  /** The call ended with a status from the origin; OK by default. */
  | (Response & { readonly see: "response"; readonly call?: number })
  /** So much of the response is there; the call may go on. */
  | (Omit<Response, "status" | "message" | "trailers" | "form"> & { readonly see: "begun"; readonly call?: number })
  /** The call ended, and a client makes this status of what came (rpc-http2#errors, rpc-http-status#table); `any`: not OK. */
  | { readonly see: "failed"; readonly call?: number; readonly status: StatusName | readonly StatusName[] | "any" }
  | { readonly see: "reset"; readonly call?: number; readonly code: ErrorName | readonly ErrorName[] }
  /** An interim response, with these fields. */
  | { readonly see: "interim"; readonly call?: number; readonly status: number; readonly headers?: Wanted }
  /** Neither an end nor a reset. */
  | { readonly see: "open"; readonly call?: number }
  /** The request has reached the origin, with all of this. */
  | {
      readonly see: "request";
      readonly request?: number;
      readonly fields?: Wanted;
      /** Values match these patterns. */
      readonly like?: Readonly<Record<string, string>>;
      readonly ended?: boolean;
      readonly messages?: readonly string[];
      readonly sizes?: readonly number[];
      readonly octets?: readonly string[];
      /** The milliseconds of its timeout. */
      readonly timeout?: readonly [least: number, most: number];
    }
  /** The proxy has reset the request, or ended its connection. */
  | { readonly see: "withdrawn"; readonly request?: number; readonly code?: ErrorName }
  /** So many requests have reached the origin, without the good ones behind the case. */
  | { readonly see: "requests"; readonly count: number | readonly [least: number, most: number] }
  /** The request has not reached the origin to its end. */
  | { readonly see: "not whole"; readonly request?: number }
  /** The response has not reached the client to its end with OK. */
  | { readonly see: "not answered"; readonly call?: number }
  /** The two requests came on different connections. */
  | { readonly see: "apart"; readonly requests: readonly [number, number] }
  /** At most this many requests were open at a time on one connection, once its SETTINGS were acknowledged. */
  | { readonly see: "at once"; readonly most: number }
  /** DATA has not exceeded the windows of this end. */
  | { readonly see: "windows kept"; readonly at: "client" | "origin" }
  /** No frame of this end was larger. */
  | { readonly see: "frames"; readonly at: "client" | "origin"; readonly largest: number }
  /** At most this many octets of the flood were taken. */
  | { readonly see: "taken"; readonly most: number }
  | { readonly see: "all"; readonly of: readonly Sight[] }
  | { readonly see: "any"; readonly of: readonly Sight[] };

/** Sights of a proxy that passes nothing on, or says that it cannot. */
export const REFUSALS = ["failed", "reset", "not whole", "not answered"] as const satisfies readonly Sight["see"][];

/** A case for proxies. After it a good call must pass, on the same connection of the client if that has not ended. */
export type RpcProxyCase = Case<Step, Sight>;
