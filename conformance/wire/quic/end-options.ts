import type { QuicPrimitives, Version } from "../../../reference/quic/index.ts";
import type { Machine as Tls, Session } from "../../../reference/tls/index.ts";
import type { Observed, Transcript } from "./observed.ts";

/** How far an end goes by itself. `nothing`: not even the first flight. `initial`: no packet after that. `handshake`: not the end of the handshake. */
export type Hold = "nothing" | "initial" | "handshake";

export type EndOptions = {
  readonly we: "client" | "server";
  readonly primitives: QuicPrimitives;
  /** Version 1 by default. */
  readonly version?: Version | undefined;
  readonly tls: Tls;
  readonly now: () => number;
  /** The ID of the peer's first packets, and ours. */
  readonly destination: Uint8Array;
  readonly source: Uint8Array;
  readonly transmit: (datagram: Uint8Array) => void;
  readonly on: (observed: Observed) => void;
  readonly transcript?: Transcript;
  readonly hold?: Hold | undefined;
  /** Rewrites the ClientHello. */
  readonly hello?: ((octets: Uint8Array) => Uint8Array) | undefined;
  /** Octets of the datagrams of the first flight. */
  readonly size?: number | undefined;
  readonly token?: Uint8Array | undefined;
  /** Client: whether it changes the token of a Retry. */
  readonly spoils?: boolean | undefined;
  /** Server: the ID in its preferred_address. */
  readonly preferred?: Uint8Array | undefined;
  /** Our transport parameters by number; client: those of the server on the connection that this one resumes. */
  readonly ours?: ReadonlyMap<number, Uint8Array>;
  readonly remembered?: ReadonlyMap<number, Uint8Array>;
  /** Client: gets the sessions that the server gives. Without it no ticket is read. */
  readonly keep?: ((session: Session) => void) | undefined;
};
