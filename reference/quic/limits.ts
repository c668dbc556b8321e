import { Defaults } from "../core/index.ts";

/** Bounds for everything that a peer could otherwise demand without end. Honest peers stay below the defaults. */
export type Limits = {
  /** Octets that may wait for the application on the whole connection. */
  readonly connectionWindow: number;
  /** Octets that may wait for the application on one stream. */
  readonly streamWindow: number;
  /** Octets of the largest datagram that is sent, where the path carries so many (rfc9000#14.3). */
  readonly udpOctets: number;
  readonly bidirectionalStreams: number;
  readonly unidirectionalStreams: number;
  /** Milliseconds without a packet until the connection ends. */
  readonly idleMs: number;
  /** Milliseconds until the handshake has to be complete. */
  readonly handshakeMs: number;
  /** Octets of the handshake that wait out of order at one level; no less than 4,096 (rfc9000#7.5). */
  readonly cryptoOctets: number;
  /** Packets that wait for their keys (rfc9001#5.7). */
  readonly parkedPackets: number;
  /** Connection IDs of the peer that we keep (rfc9000#5.1.1). */
  readonly connectionIds: number;
  /** Answers to path challenges that wait to be sent: more challenges are ignored (rfc9000#8.2.2). */
  readonly pathResponses: number;
  /** Octets of the largest datagram of the application that we accept; 0 refuses them (rfc9221#3). */
  readonly datagramOctets: number;
  /** Datagrams of the application that wait to be sent. */
  readonly queuedDatagrams: number;
  /** Octets kept for a stream above which `send` asks its caller to wait. */
  readonly highWater: number;
  /** Server: connections whose address is not validated, above which every client gets a Retry (rfc9000#8.1.2). */
  readonly unvalidated: number;
  /** Server: connections at once. */
  readonly connections: number;
  /** Packets that we protect with one key before we change it; more than the cipher permits is never done (rfc9001#6.6). */
  readonly keyPackets: number;
  /** Milliseconds for which a token of Retry, and one of NEW_TOKEN, is valid. */
  readonly retryTokenMs: number;
  readonly newTokenMs: number;
};

export const LIMITS: Defaults<Limits> = new Defaults<Limits>({
  connectionWindow: 1_048_576,
  streamWindow: 262_144,
  udpOctets: 65_507,
  bidirectionalStreams: 100,
  unidirectionalStreams: 100,
  idleMs: 30_000,
  handshakeMs: 10_000,
  cryptoOctets: 65_536,
  parkedPackets: 10,
  connectionIds: 4,
  pathResponses: 8,
  datagramOctets: 0,
  queuedDatagrams: 100,
  highWater: 262_144,
  unvalidated: 1_000,
  connections: 100_000,
  keyPackets: 2 ** 22,
  retryTokenMs: 10_000,
  newTokenMs: 86_400_000,
});
