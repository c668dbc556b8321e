import type { Settings } from "../../http3/index.ts";
import {
  DatagramDrive,
  dialUdp,
  inUrl,
  largestDatagrams,
  now,
  QUIC_PRIMITIVES,
  Sessions,
  type ClientTls,
  type Place,
} from "../../io/index.ts";
import { QuicEndpoint, readQuicParameters, type QuicEvent } from "../../quic/index.ts";
import type { Session } from "../../tls/index.ts";
import type { Origin } from "../client/connection.ts";
import { ConnectFailed } from "../errors.ts";
import { http3ClientFaults } from "../faults/index.ts";
import { Http3ClientConnection } from "./client.ts";
import { clientHandshakes } from "./handshake.ts";
import type { Http3ConnectOptions } from "./options.ts";
import { qlogInto } from "./qlog.ts";
import { Riders, type SocketEvent } from "./riders.ts";

/** Windows that let several fast downloads run while one is not read. */
const WINDOWS = { connectionWindow: 4_194_304, streamWindow: 1_048_576 } as const;
/** Codes of the transport from here on carry an alert of TLS (rfc9001#4.8). */
const CRYPTO_ERROR = 0x100;
const NO_APPLICATION_PROTOCOL = 120;
const GREASE = 1_000;

/** What a client keeps of a server, for its next connection. */
type Kept = {
  /** The last session of TLS, with the settings of its connection. */
  session?: Session;
  settings?: Settings;
  /** A token that proves our address (rfc9000#8.1.3). */
  token?: Uint8Array;
};

/** Opens connections in HTTP/3, each on a socket of its own. */
export class Http3Dialler {
  readonly #options: Http3ConnectOptions & { readonly stallMs?: number };
  readonly #filter: ReturnType<typeof http3ClientFaults>;
  readonly #handshakes: ReturnType<typeof clientHandshakes>;
  readonly #kept = new Sessions<Kept>();
  readonly #resumes: boolean;
  readonly #largest = largestDatagrams();

  constructor(
    tls: ClientTls,
    options: Http3ConnectOptions,
    { stallMs, faults = [] }: { readonly stallMs?: number | undefined; readonly faults?: readonly string[] },
  ) {
    this.#filter = http3ClientFaults(faults);
    this.#handshakes = clientHandshakes(tls);
    this.#resumes = tls.resume !== false;
    this.#options = { ...options, ...(stallMs !== undefined && { stallMs }) };
  }

  /** Connects, and waits for the server's SETTINGS, unless requests may leave at once. The certificate has to be that of `name`. */
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
    const { settings, limits, stallMs, congestion } = this.#options;
    const { h3Datagram } = settings ?? {};
    const quicLimits = { ...WINDOWS, ...(h3Datagram === true && { datagramOctets: 65_535 }), ...this.#options.quic };
    const observe = qlogInto(this.#options.qlog);
    const endpoint = new QuicEndpoint({
      primitives: QUIC_PRIMITIVES,
      limits: quicLimits,
      largest: ({ host }) => this.#largest(host),
      ...(congestion !== undefined && { congestion }),
      ...(observe !== undefined && { observe }),
    });
    const riders = new Riders(endpoint);
    let closed: Extract<QuicEvent, { readonly is: "closed" }> | undefined;
    const handle = (events: readonly SocketEvent[]): void => {
      for (const event of events) {
        if (event.is !== "event") continue;
        if (event.event.is === "closed") closed = event.event;
        if (event.event.is === "token") keep({ token: event.event.token });
        riders.dispatch(event);
        // The socket carries nothing else.
        if (event.event.is === "closed") drive.shutdown();
      }
    };
    const broken = (error?: Error): void => (error === undefined ? undefined : connection.gone(error));
    const drive = new DatagramDrive<SocketEvent, Riders>(socket, riders, { handle, gone: broken });
    const before = this.#resumes ? (this.#kept.take({ ...place, name }) ?? {}) : {};
    const after: Kept = {};
    const keep = (news: Kept): void => {
      if (this.#resumes) this.#kept.put({ ...place, name }, Object.assign(after, news));
    };
    const early = this.#options.earlyData === "safe" && before.settings !== undefined;
    const remembered = early && before.session !== undefined ? readQuicParameters(before.session.parameters, "server") : undefined;
    const handshake = this.#handshakes(name, { session: before.session, early, keep: (session) => keep({ session }) });
    const how = { handshake, ...(before.token !== undefined && { token: before.token }) };
    const quic = endpoint.connect(to, { ...how, ...(remembered !== undefined && !("is" in remembered) && { remembered }) }, now());
    const machine = {
      ...(settings !== undefined && { settings }),
      limits: { ...(stallMs !== undefined && { stallMs }), ...limits, ...(this.#filter !== undefined && { encoderTable: 0 }) },
      grease: Math.floor(Math.random() * GREASE),
    };
    const connection = new Http3ClientConnection({
      quic,
      socket: drive,
      origin,
      options: machine,
      filter: this.#filter,
      remembered: quic.isEarly ? before.settings : undefined,
      learned: (settings) => keep({ settings }),
    });
    riders.add(connection);
    drive.wake();
    if (quic.isEarly) return connection;
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
