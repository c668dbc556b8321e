import type { Width } from "../http3/frame-spec.ts";
import type { CodeName, FrameName } from "./names.ts";

export type { CodeName, FrameName } from "./names.ts";

/**
 * A limit that the peer has announced, and how far from it: of streams, of octets on the connection, on a bidirectional or unidirectional stream of
 * ours, or of connection IDs. As a stream it is the one with that ordinal: `plus: 0` is the first that the limit does not permit.
 */
export type Limit = {
  readonly limit: "bidirectional streams" | "unidirectional streams" | "data" | "stream data" | "unidirectional data" | "ids";
  readonly plus: number;
};
export type Value = number | Limit;

/** A frame to build, legal or not. Members that a type does not have are ignored; those left out are 0 or empty. */
export type FrameSpec = {
  /** A name or a number. Of a number nothing but `hex` follows. */
  readonly type: FrameName | number;
  /** The octets of the type itself (rfc9000#12.4). */
  readonly width?: Width;
  /** Octets in place of all members. */
  readonly hex?: string;
  readonly stream?: Value;
  readonly offset?: Value;
  /** Text, or so many octets. */
  readonly data?: string | number;
  /** The Length field, if it lies. */
  readonly length?: number;
  /** STREAM: without a Length field. */
  readonly open?: true;
  readonly end?: true;
  readonly finalSize?: Value;
  readonly code?: CodeName | number;
  readonly max?: Value;
  /** ACK: the largest number, or how far beyond the last that we have received; octets of the first range; further ranges as gap and length. */
  readonly largest?: number | { readonly beyond: number };
  readonly first?: number;
  readonly ranges?: readonly (readonly [gap: number, length: number])[];
  readonly counts?: readonly [number, number, number];
  readonly sequence?: Value;
  readonly retire?: number;
  /** A connection ID or a token in hex. */
  readonly id?: string;
  readonly token?: string;
  /** Repeated: members that count up, an ID with them. */
  readonly counting?: readonly ("sequence" | "retire" | "stream" | "offset" | "max" | "largest")[];
};

/** What a packet may have that others have not. */
export type PacketSpec = {
  readonly level: "initial" | "handshake" | "application";
  /** Long packets: with the version and the types of version 1, whatever the connection has. */
  readonly version?: "v1";
  /** Application: in a 0-RTT packet. */
  readonly early?: true;
  /** Skips so many packet numbers, or repeats the last one (-1). */
  readonly skip?: number;
  /** Bits that must be zero. */
  readonly reserved?: number;
  /** With a zero in place of the fixed bit. */
  readonly unfixed?: true;
  /** The last octet of its tag is changed. */
  readonly corrupt?: true;
  /** With the keys of the next phase: an update that then lasts; or only the bit of the phase, with the keys of this one; or as before the update. */
  readonly update?: "keys" | "bit" | "old";
  /** Initial: the size of the datagram; 1,200 by default. */
  readonly size?: number;
  /** Initial: a token in hex. */
  readonly token?: string;
};
