import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { ConnectionInfo, HttpVersion } from "../http/index.ts";
import type { DriveOptions, Filter, Link } from "../io/index.ts";
import type { AnyClientConnection, ClientUpgrade, Origin } from "./client/connection.ts";
import type { Wanted } from "./faults/wanted.ts";
import type { ServerContext, StreamServerConnection } from "./server/connection.ts";
import type { ServerUpgrade, Upgraded } from "./server/upgrade.ts";

/** One version of HTTP: how to make its connections for a server and for a client. The rows of `versions.ts` have this shape. */
export interface Version<Alpn extends string, ServeOptions, ConnectOptions> {
  /** The name of its options, and of its peer in `touchstone serve`. */
  readonly name: "http1" | "http2";
  /** Its name where TLS negotiates a version (rfc7301#6), and in the option `alpn`. */
  readonly alpn: Alpn;
  readonly http: HttpVersion;
  /** Whether a connection carries many requests at a time. */
  readonly multiplexes: boolean;
  /** The first octets of a client in clear text, where they identify the version. */
  readonly preface?: Uint8Array;
  /** Prepares the connections of one server. */
  server(setup: ServerSetup, options: ServeOptions): ServerVersion;
  /** How a client starts this version in clear text, if its options choose a way. */
  inClear?(options: ConnectOptions): "prior-knowledge" | "upgrade" | undefined;
  /** Prepares the connections of one client. */
  client(setup: ClientSetup, options: ConnectOptions): ClientVersion;
}

/** What a server gives to each version that it speaks. */
export type ServerSetup = {
  readonly context: ServerContext;
  readonly idleMs: number | undefined;
  readonly stallMs: number | undefined;
  /** Stands between each connection and its socket. */
  readonly filter: ((connection: ConnectionInfo, link: Link) => Filter) | undefined;
  /** Faults in every version. */
  readonly wrong: Wanted;
  /** The server speaks no other version. */
  readonly isAlone: boolean;
  /** Moves a connection in clear text to another version at the client's request. */
  upgrade(): OfferedUpgrade | undefined;
  /** Reports a socket that speaks another protocol now and still closes with the server. */
  switched(socket: Duplex): void;
};

export type OfferedUpgrade = Pick<ServerUpgrade, "token" | "offered"> & { goOn(upgraded: Upgraded): void };

/** One version at one server. */
export interface ServerVersion {
  accept(socket: Duplex, id: number): StreamServerConnection;
  /** How HTTP/1.1 clients reach this version by Upgrade. */
  readonly upgrade?: ServerUpgrade | undefined;
}

/** What a client gives to each version that it speaks. */
export type ClientSetup = {
  readonly stallMs: number | undefined;
  readonly unreadMs: number | undefined;
  /** Stands between a connection of this version and its socket. */
  filterOf(version: "http1" | "http2"): DriveOptions["filter"];
  /** The upgrade to offer on connections in clear text. */
  upgrade(origin: Origin): ClientUpgrade | undefined;
};

/** One version at one client. */
export interface ClientVersion {
  /** Whether the version permits the negotiated cipher suite. */
  permits(socket: TLSSocket): boolean;
  connect(socket: Duplex, origin: Origin): AnyClientConnection;
  /** Offers this version by Upgrade in a request of HTTP/1.1. */
  upgrade?(origin: Origin): ClientUpgrade;
}

/** The faults of one version: those that the server has in every version, and its own. */
export const wantedFaults = ({ wrong }: Pick<ServerSetup, "wrong">, { faults = [], faultByRequest }: Wanted): Wanted => ({
  faults: [...(wrong.faults ?? []), ...faults],
  faultByRequest: faultByRequest ?? wrong.faultByRequest ?? false,
});
