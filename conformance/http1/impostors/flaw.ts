import type { ReadRequest } from "../../wire/http1/read.ts";
import type { FrameSpec } from "../../http2/vocabulary.ts";
/** What a wrong proxy can do on the way, beside what its flaw says. */
export type Way = {
  /** Octets to the client, as if they were an answer. */
  reply(text: string): void;
  /** Octets to the origin, as if the client had sent them. */
  ask(text: string): void;
  /** From here on what the client sends goes to the origin on a new connection. */
  redial(): void;
  /** Ends the connection to the client, and the one to the origin. */
  hangUp(): void;
  leave(): void;
  /** What it remembers of this connection. */
  readonly seen: Map<string, string>;
};

/**
 * What a proxy does wrong. Without any of these it is a tunnel: each connection of a client has one to the origin, and octets go
 * through unread, in HTTP/2 as lines of HTTP/1.1 with whatever stood in the fields.
 */
export type ProxyFlaw = {
  readonly about: string;
  /** Answers nothing; ends every connection at once. */
  readonly greets?: "silent" | "slams";
  /** Other octets than those that the client sent, a read at a time. */
  readonly asks?: (text: string, way: Way) => string;
  /** Other octets than those that the origin sent. */
  readonly answers?: (text: string, way: Way) => string;
  /** The origin's end is not the client's; what is written to the client in its place. */
  readonly onOriginEnd?: (way: Way) => void;
  /** The client's end is not the origin's; what is written to the origin in its place. */
  readonly onClientEnd?: (way: Way) => void;
  /** In HTTP/2: other fields than those that came. */
  readonly fields?: (fields: (readonly [string, string])[]) => (readonly [string, string])[];
  /** In HTTP/2: a stream is ended, or left open, or its response has other fields. */
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
  /** Heads of interim responses that go before it, as they are written. */
  interim: string[];
  /** The connection ends after it. */
  close: boolean;
};

/** The connection of an HTTP/1.1 server, as its flaw sees it. */
export type AskedPeer = {
  /** Reads so far, and requests that were answered. */
  readonly reads: number;
  readonly count: number;
  /** Octets that belong to no request have come. */
  readonly strays: boolean;
  /** Ends the connection, and reads nothing more. */
  close(): void;
  write(text: string): void;
  /** Forgets everything that came and is not answered. */
  forget(): void;
};

/** The mistakes of an HTTP/1.1 server. Without one it accepts and answers everything. */
export type Http1ServerFlaw = {
  readonly about: string;
  /** Answers nothing; ends every connection at once. */
  readonly mute?: true;
  readonly slams?: true;
  /** Other octets than those that came, one read at a time. */
  readonly hears?: (text: string, peer: AskedPeer) => string;
  /** Instead of an answer: an end, silence, or a refusal with this status. */
  readonly meets?: (request: ReadRequest, peer: AskedPeer) => "close" | "silence" | number | undefined;
  /** Before a request is whole. */
  readonly begins?: (request: ReadRequest, peer: AskedPeer) => "close" | number | undefined;
  /** Another answer. */
  readonly sends?: (draft: Draft, request: ReadRequest, peer: AskedPeer) => void;
  /** Other octets than those of the answer. */
  readonly writes?: (text: string, request: ReadRequest, peer: AskedPeer) => string;
  /** Answers that are due in another order than that of their requests. */
  readonly orders?: (answers: string[]) => string[];
  /** It goes on where it should end, and ends where it should go on. */
  readonly keeps?: (request: ReadRequest, close: boolean) => boolean;
  /** The end of what the client sends. */
  readonly onEnd?: "nothing" | "serves what is there" | "drops all";
  readonly frames?: (frames: FrameSpec[]) => FrameSpec[];
  /** What it goes over to HTTP/2 for, beside what it should. */
  readonly switches?: (request: ReadRequest) => boolean | undefined;
  /** Whether a 100 goes before the content. */
  readonly continues?: (request: ReadRequest) => boolean | undefined;
  /** Answers come so late, in milliseconds. */
  readonly late?: number;
  /** A connection that is reset ends all others' service. */
  readonly dies?: true;
};
