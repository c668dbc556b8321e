import type { ReadRequest } from "../../wire/http1/read.ts";
import type { FrameSpec } from "../../http2/vocabulary.ts";
/** The actions of a wrong proxy, besides changing octets. */
export type Way = {
  /** Sends octets to the client, like a response. */
  reply(text: string): void;
  /** Sends octets to the origin, as if from the client. */
  ask(text: string): void;
  /** Sends the client's further octets to the origin on a new connection. */
  redial(): void;
  /** Ends the connections to the client and to the origin. */
  hangUp(): void;
  leave(): void;
  /** The state of this connection. */
  readonly seen: Map<string, string>;
};

/**
 * The flaws of a proxy. Without one it is a tunnel: each client connection has one to the origin, and octets pass
 * unread; HTTP/2 fields become lines of HTTP/1.1, unchecked.
 */
export type ProxyFlaw = {
  readonly about: string;
  /** Answers nothing, or ends every connection at once. */
  readonly greets?: "silent" | "slams";
  /** Replaces the octets of the client, per read. */
  readonly asks?: (text: string, way: Way) => string;
  /** Replaces the octets of the origin, per read. */
  readonly answers?: (text: string, way: Way) => string;
  /** Called instead of forwarding the end of the origin. */
  readonly onOriginEnd?: (way: Way) => void;
  /** Called instead of forwarding the end of the client. */
  readonly onClientEnd?: (way: Way) => void;
  /** HTTP/2: replaces the fields of a request. */
  readonly fields?: (fields: (readonly [string, string])[]) => (readonly [string, string])[];
  /** HTTP/2: ends a stream, leaves it open, or replaces the fields of its response. */
  readonly response?: (fields: (readonly [string, string])[]) => (readonly [string, string])[];
};

/** A response before it is written. */
export type Draft = {
  version: string;
  status: number;
  reason: string;
  fields: [string, string][];
  content: string;
  framing: "length" | "chunked" | "close" | "none";
  trailers: [string, string][];
  /** The heads of the interim responses before it. */
  interim: string[];
  /** Whether the connection ends after it. */
  close: boolean;
};

/** The connection of an HTTP/1.1 server, as its flaw gets it. */
export type AskedPeer = {
  /** The number of reads so far, and of answered requests. */
  readonly reads: number;
  readonly count: number;
  /** Whether octets outside of any request have arrived. */
  readonly strays: boolean;
  /** Ends the connection, and reads nothing more. */
  close(): void;
  write(text: string): void;
  /** Discards everything that is not answered yet. */
  forget(): void;
};

/** The mistakes of an HTTP/1.1 server. Without one it accepts and answers everything. */
export type Http1ServerFlaw = {
  readonly about: string;
  /** Answers nothing, or ends every connection at once. */
  readonly mute?: true;
  readonly slams?: true;
  /** Replaces the received octets, per read. */
  readonly misreads?: (text: string, peer: AskedPeer) => string;
  /** Instead of a response: an end, silence, or a refusal with this status. */
  readonly meets?: (request: ReadRequest, peer: AskedPeer) => "close" | "silence" | number | undefined;
  /** The same, before a request is complete. */
  readonly begins?: (request: ReadRequest, peer: AskedPeer) => "close" | number | undefined;
  /** Replaces the response. */
  readonly sends?: (draft: Draft, request: ReadRequest, peer: AskedPeer) => void;
  /** Replaces the octets of the response. */
  readonly writes?: (text: string, request: ReadRequest, peer: AskedPeer) => string;
  /** Reorders the responses of one read. */
  readonly orders?: (answers: string[]) => string[];
  /** Whether the connection continues, decided wrongly. */
  readonly keeps?: (request: ReadRequest, close: boolean) => boolean;
  /** What it does when the client ends its half. */
  readonly onEnd?: "nothing" | "serves what is there" | "drops all";
  readonly frames?: (frames: FrameSpec[]) => FrameSpec[];
  /** Changes what passes through a tunnel, or keeps it open behind its far end. */
  readonly tunnels?: { readonly out?: (text: string) => string; readonly back?: (text: string) => string; readonly staysOpen?: true };
  /** Requests that it also upgrades to HTTP/2. */
  readonly switches?: (request: ReadRequest) => boolean | undefined;
  /** Whether it sends 100 before the content arrives. */
  readonly continues?: (request: ReadRequest) => boolean | undefined;
  /** The delay of responses, in milliseconds. */
  readonly late?: number;
  /** Replaces what its program reports. */
  readonly reports?: (lines: readonly string[]) => readonly string[];
  /** After a reset of any connection it serves no other. */
  readonly dies?: true;
};
