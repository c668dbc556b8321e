import type { FieldsInit } from "./fields.ts";
import type { Request, Response } from "./message.ts";

/** What a server passes to its handlers, for every version of HTTP. */

/**
 * Why an exchange is abandoned, by the names of HTTP/2 (rfc9113#7); HTTP/3 has the same ones with a prefix (rfc9114#8.1). HTTP/1.1 has no
 * codes and drops the connection.
 */
export type ResetCode =
  | "NO_ERROR"
  | "PROTOCOL_ERROR"
  | "INTERNAL_ERROR"
  | "REFUSED_STREAM"
  | "CANCEL"
  | "CONNECT_ERROR"
  | "ENHANCE_YOUR_CALM"
  | "INADEQUATE_SECURITY"
  | "HTTP_1_1_REQUIRED"
  | "FLOW_CONTROL_ERROR"
  | "SETTINGS_TIMEOUT"
  | "STREAM_CLOSED"
  | "FRAME_SIZE_ERROR"
  | "COMPRESSION_ERROR";

/** The certificate with which a client authenticates itself (rfc8446#4.4.2), and what became of it. */
export type ClientCertificate = {
  /** As OpenSSL prints them: a line for each attribute. */
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  /** SHA-256 of the certificate: hexadecimal octets, joined by colons. */
  readonly fingerprint: string;
  /** `DNS:client.example, URI:spiffe://…`; undefined without alternative names. */
  readonly subjectAltName: string | undefined;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly der: Uint8Array;
  /** It is valid, for clients, and comes from an authority of the server (rfc5280#6). */
  readonly isTrusted: boolean;
  /** Why it is not trusted, in OpenSSL's word: CERT_HAS_EXPIRED. */
  readonly problem: string | undefined;
};

/** What TLS negotiated. */
export type TlsInfo = {
  readonly version: string;
  readonly cipher: string;
  readonly servername: string | undefined;
  /** The handshake resumed a session (rfc8446#2.2). */
  readonly isResumed: boolean;
  /** The certificate of the client, trusted or not; undefined if the server requests none or the client has none. */
  readonly client: ClientCertificate | undefined;
};

/** The connection that carries a request. */
export interface ConnectionInfo {
  /** The number of the connection on its server, from 1. */
  readonly id: number;
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  /** The parameters that TLS negotiated; undefined without TLS. */
  readonly tls: TlsInfo | undefined;
  /** Accepts no further requests, and ends the connection after the open ones (rfc9113#6.8, rfc9112#9.6). */
  shutdown(): void;
  /** Ends the connection at once; versions without codes ignore `code`. */
  abort(code: ResetCode): void;
  /** Drops the transport. */
  destroy(): void;
}

/** What a handler can do besides returning a response. */
export interface Exchange {
  /**
   * Aborts when the client resets the stream or disconnects: the response is no longer needed. In HTTP/1.1 a client that ends its half of the
   * connection counts as gone, unless `http1.halfClose` says otherwise.
   */
  readonly signal: AbortSignal;
  readonly connection: ConnectionInfo;
  /** The stream identifier (rfc9113#5.1.1); in HTTP/1.1 the number of the request on its connection, from 1. */
  readonly stream: number;
  /** Protocols that the client would prefer on this connection, the best first (rfc9110#7.8); empty in HTTP/2, which cannot switch. */
  readonly upgrade: readonly string[];
  /** Sends an interim response before the final one, for example 103 with Link (rfc9110#15.2, rfc8297); dropped for HTTP/1.0. */
  interim(status: number, fields?: FieldsInit): void;
  /** Pushes a response that the client did not request (rfc9113#8.4); false if the client refuses pushes. */
  push(request: PushedRequest, response: Response): boolean;
  /** Ends the exchange without a complete response. */
  reset(code: ResetCode): void;
}

/** The request of a pushed response; the original request supplies what is left out. */
export type PushedRequest = {
  readonly path: string;
  readonly method?: "GET" | "HEAD";
  readonly authority?: string;
  readonly fields?: FieldsInit;
};

/** Answers one request. An error that it throws becomes a 500 and goes to `onError`. */
export type Handler = (request: Request, exchange: Exchange) => Response | Promise<Response>;
