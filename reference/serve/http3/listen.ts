import { bindUdp, DatagramDrive, largestDatagrams, QUIC_PRIMITIVES, type ServerTls } from "../../io/index.ts";
import { QuicEndpoint, type QuicLimits } from "../../quic/index.ts";
import { http3Faults } from "../faults/index.ts";
import type { Wanted } from "../faults/wanted.ts";
import type { ServerContext } from "../server/connection.ts";
import { wantedFaults } from "../version.ts";
import { serverHandshakes, type Agreed } from "./handshake.ts";
import type { Http3ServeOptions } from "./options.ts";
import { qlogInto } from "./qlog.ts";
import { Riders, type SocketEvent } from "./riders.ts";
import { Http3ServerConnection } from "./server.ts";

export type Http3Listening = {
  readonly host: string;
  readonly port: number;
  readonly tls: ServerTls;
  readonly context: ServerContext;
  /** Faults in every version. */
  readonly wrong: Wanted;
  readonly options: Http3ServeOptions;
  readonly idleMs: number | undefined;
  readonly stallMs: number | undefined;
  readonly maxConnections: number | undefined;
  /** A connection begins. */
  joined(connection: Http3ServerConnection): void;
  /** The number of the next connection. */
  count(): number;
  /** The socket has broken. */
  broken(error: Error): void;
};

export type Http3Listener = { readonly address: string; readonly port: number; close(): Promise<void> };

/** Reserved identifiers are chosen among this many (rfc9114#7.2.8). */
const GREASE = 1_000;

/** Listens on a UDP socket, which carries all connections. */
export async function listenHttp3(listening: Http3Listening): Promise<Http3Listener> {
  const { host, port, tls, options, idleMs, stallMs, maxConnections } = listening;
  const handshakeFor = await serverHandshakes(tls, options.earlyData === "safe");
  const beginning: Agreed[] = [];
  const quicLimits: Partial<QuicLimits> = {
    ...(idleMs !== undefined && { idleMs }),
    ...(maxConnections !== undefined && { connections: maxConnections }),
    ...(options.settings?.h3Datagram === true && { datagramOctets: 65_535 }),
    ...options.quic,
  };
  const largest = largestDatagrams();
  const observe = qlogInto(options.qlog);
  const endpoint = new QuicEndpoint({
    primitives: QUIC_PRIMITIVES,
    largest: ({ host: to }) => largest(to),
    limits: quicLimits,
    ...(options.congestion !== undefined && { congestion: options.congestion }),
    ...(observe !== undefined && { observe }),
    retry: options.retry ?? "busy",
    accept: (parameters, version) => {
      const { handshake, agreed } = handshakeFor(parameters, version);
      beginning.push(agreed);
      return handshake;
    },
  });
  const faults = http3Faults(listening.context.handler, wantedFaults(listening, options));
  const context = faults === undefined ? listening.context : { ...listening.context, handler: faults.handler };
  const limits = { ...(stallMs !== undefined && { stallMs }), ...options.limits, ...(faults !== undefined && { encoderTable: 0 }) };
  const riders = new Riders(endpoint);
  const socket = await bindUdp({ host, port });
  const gone = Promise.withResolvers<void>();
  const handle = (events: readonly SocketEvent[]): void => {
    for (const event of events) {
      if (event.is === "event") riders.dispatch(event);
      else if (event.is === "accepted") {
        const connection = new Http3ServerConnection({
          quic: event.connection,
          agreed: beginning.shift()!,
          socket: drive,
          id: listening.count(),
          context,
          filter: faults?.filter,
          options: { ...options, limits, grease: Math.floor(Math.random() * GREASE), awaitsClient: tls.ca !== undefined },
        });
        riders.add(connection);
        listening.joined(connection);
      }
    }
  };
  const drive: DatagramDrive<SocketEvent, Riders> = new DatagramDrive<SocketEvent, Riders>(socket, riders, {
    handle,
    gone: (error) => {
      if (error !== undefined) listening.broken(error);
      gone.resolve();
    },
  });
  const place = socket.address();
  return {
    address: place.address,
    port: place.port,
    close: async () => {
      drive.shutdown();
      await gone.promise;
    },
  };
}
