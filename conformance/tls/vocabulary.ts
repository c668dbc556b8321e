import type { Case as AnyCase } from "../harness/case.ts";

/** What a case about mutual TLS can do and observe. The same handshake carries each of the protocols. */

/** What the connection carries: a request, or the opening of a WebSocket over HTTP/1.1. */
export type Over = "http1" | "http2" | "websocket";
export type TlsVersion = "TLSv1.2" | "TLSv1.3";

/**
 * Certificates that are made for the run. `good`: of the authority, for this end, valid. The others differ from it in one thing. `purpose`: for
 * the other end. `stranger`: of an authority with another name. `namesake`: of one with the same name and another key. `leaf`: of a
 * certificate that is no authority's. `self`: signed by itself. The rest are for other hosts, as `MISNAMED` says.
 */
export type CertificateName = "good" | "expired" | "early" | "purpose" | "stranger" | "namesake" | "leaf" | "self" | Misnamed;

/** How a client names the server in its URL: `localhost`, or its address. */
export type Named = "name" | "address";
/** The names in a certificate: those of its subjectAltName, and its common name. */
export type Names = { readonly common?: string; readonly dns?: readonly string[]; readonly ip?: readonly string[] };

/** Certificates that do not name `localhost` (or its address) as rfc9110#4.3.4 wants it, although some come close. */
export const MISNAMED = {
  host: { dns: ["other.example"] },
  "common-name": { common: "localhost" },
  "common-name-beside": { common: "localhost", dns: ["other.example"] },
  "common-name-address": { common: "127.0.0.1" },
  "common-name-beside-address": { common: "localhost", ip: ["127.0.0.1"] },
  "address-alone": { ip: ["127.0.0.1"] },
  "name-alone": { dns: ["localhost"] },
  "address-as-name": { dns: ["127.0.0.1"] },
  "other-address": { ip: ["127.0.0.2", "::1"] },
  "wildcard-below": { dns: ["*.localhost"] },
  "longer-name": { dns: ["localhost.example", "notlocalhost"] },
  "name-with-nul": { dns: ["localhost\0.other.example"] },
} as const satisfies Readonly<Record<string, Names>>;
export type Misnamed = keyof typeof MISNAMED;

export type Step =
  /** Server: a connection with a request, or with the opening of a WebSocket. `resumes`: with the session of the last connection. */
  | {
      readonly do: "connect";
      readonly over: Over;
      readonly version?: TlsVersion;
      readonly certificate?: CertificateName;
      readonly resumes?: true;
    }
  /** Server: sends a ClientHello and closes, before a certificate can be requested. */
  | { readonly do: "abandon" }
  /** Client: starts it on a server with this certificate, which may ask for the client's. */
  | {
      readonly do: "serve";
      readonly over: Over;
      readonly version?: TlsVersion;
      readonly certificate: CertificateName;
      readonly asks?: "require" | "request";
      /** Its address by default. */
      readonly named?: Named;
    }
  /** Client: starts it on a server that closes after the ClientHello. */
  | { readonly do: "drop"; readonly over: Over };

/**
 * How a server refuses: an alert; a response with another status than the good one; GOAWAY; the end of the connection without a word.
 * The last connection counts.
 */
export type Refusal = "alert" | "response" | "GOAWAY" | "end";

export type Sight =
  /** Server: the last connection got the good response. */
  | { readonly see: "served" }
  | { readonly see: "refused"; readonly by: readonly Refusal[] }
  /** Client: its request arrived, with its certificate or without one. */
  | { readonly see: "request"; readonly certificate?: "good" | "none" }
  /** Client: it connected, and no request arrived. */
  | { readonly see: "no request" }
  /** Client: it ended with a status other than 0. */
  | { readonly see: "failure" };

/** Sights of a subject that refuses. */
export const REFUSALS = ["refused", "no request", "failure"] as const satisfies readonly Sight["see"][];

export type Case = AnyCase<Step, Sight>;
