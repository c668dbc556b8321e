import { DatagramDrive, dialUdp, inUrl, now, QUIC_PRIMITIVES, type ClientTls, type Place } from "../../io/index.ts";
import { QuicEndpoint, type QuicEvent } from "../../quic/index.ts";
import type { Origin } from "../client/connection.ts";
import { ConnectFailed } from "../errors.ts";
import { Http3ClientConnection } from "./client.ts";
import { clientHandshakes } from "./handshake.ts";
import type { Http3ConnectOptions } from "./options.ts";
import { Riders, type SocketEvent } from "./riders.ts";

/** Windows that let several fast downloads run while one is not read. */
const WINDOWS = { connectionWindow: 4_194_304, streamWindow: 1_048_576 } as const;
/** Codes of the transport from here on carry an alert of TLS (rfc9001#4.8). */
const CRYPTO_ERROR = 0x100;
const NO_APPLICATION_PROTOCOL = 120;
const GREASE = 1_000;

/** Opens connections in HTTP/3, each on a socket of its own. */
export class Http3Dialler {
  readonly #options: Http3ConnectOptions & { readonly stallMs?: number };
  readonly #handshakes: ReturnType<typeof clientHandshakes>;

  constructor(tls: ClientTls, options: Http3ConnectOptions, stallMs: number | undefined) {
    this.#handshakes = clientHandshakes(tls);
    this.#options = { ...options, ...(stallMs !== undefined && { stallMs }) };
  }

  /** Connects, and waits for the server's SETTINGS. The certificate has to be that of `name`. */
  async open(
    place: Place,
    origin: Origin,
    { signal, name }: { readonly signal: AbortSignal; readonly name: string },
  ): Promise<Http3ClientConnection> {
    const at = `${inUrl(place.host)}:${place.port}`;
    signal.throwIfAborted();
    const { socket, to } = await dialUdp(place).catch((error: unknown) => {
      throw new ConnectFailed("unreachable", `cannot reach ${at}: ${(error as Error).message}`, error);
    });
    const { settings, limits, stallMs } = this.#options;
    const { h3Datagram } = settings ?? {};
    const quicLimits = { ...WINDOWS, ...(h3Datagram === true && { datagramOctets: 65_535 }), ...this.#options.quic };
    const endpoint = new QuicEndpoint({ primitives: QUIC_PRIMITIVES, limits: quicLimits });
    const riders = new Riders(endpoint);
    let closed: Extract<QuicEvent, { readonly is: "closed" }> | undefined;
    const handle = (events: readonly SocketEvent[]): void => {
      for (const event of events) {
        if (event.is !== "event") continue;
        if (event.event.is === "closed") closed = event.event;
        riders.dispatch(event);
        // The socket carries nothing else.
        if (event.event.is === "closed") drive.shutdown();
      }
    };
    const broken = (error?: Error): void => (error === undefined ? undefined : connection.gone(error));
    const drive = new DatagramDrive<SocketEvent, Riders>(socket, riders, { handle, gone: broken });
    const quic = endpoint.connect(to, { handshake: this.#handshakes(name) }, now());
    const machine = {
      ...(settings !== undefined && { settings }),
      limits: { ...(stallMs !== undefined && { stallMs }), ...limits },
      grease: Math.floor(Math.random() * GREASE),
    };
    const connection = new Http3ClientConnection({ quic, socket: drive, origin, options: machine });
    riders.add(connection);
    drive.wake();
    const stop = (): void => drive.destroy(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    try {
      await connection.ready;
    } finally {
      signal.removeEventListener("abort", stop);
    }
    if (connection.ending === undefined) return connection;
    throw explain(connection, closed, at);
  }
}

/** Why there is no connection, and what to do. */
function explain(
  { ending }: Http3ClientConnection,
  closed: Extract<QuicEvent, { readonly is: "closed" }> | undefined,
  at: string,
): ConnectFailed {
  const { fault, error } = ending ?? {};
  if (error instanceof ConnectFailed) return error;
  if (closed?.by === "version") return new ConnectFailed("protocol", `${at} speaks QUIC, but in no version of ours (1 and 2)`, error);
  if (closed?.by === "handshake" || closed?.by === "idle")
    return new ConnectFailed("timeout", `${at} does not answer over UDP: does it speak HTTP/3, and is UDP open on the way?`, error);
  const alert =
    closed?.layer === "transport" && closed.code >= CRYPTO_ERROR && closed.code < 2 * CRYPTO_ERROR ? closed.code - CRYPTO_ERROR : -1;
  if (alert === NO_APPLICATION_PROTOCOL) return new ConnectFailed("protocol", `${at} does not offer HTTP/3 (ALPN h3)`, error);
  if (alert >= 0 && closed?.by === "us")
    return new ConnectFailed(
      "tls",
      `the certificate or the handshake of ${at} is not acceptable (${closed.reason}): pass it as \`tls.ca\`, or \`tls.verify: false\` in a test`,
      error,
    );
  if (alert >= 0) return new ConnectFailed("tls", `${at} refuses the TLS handshake (alert ${alert})`, error);
  const why = fault === undefined ? (error?.message ?? "") : `${fault.name}, ${fault.spec}`;
  return new ConnectFailed("protocol", `${at} closed the connection before it spoke HTTP/3 (${why})`, error);
}
