import type { Limits, Settings } from "../../http3/index.ts";
import type { CongestionName, QuicLimits } from "../../quic/index.ts";

/** HTTP/3, for both ends. */
type Http3Options = {
  /**
   * Whether requests may leave before the handshake is complete, on a connection that resumes a session (0-RTT, rfc9114#10.9): `off`, the
   * default, or `safe` for those with a safe method and no content. Others may record such requests and send them again; a server takes each
   * ticket for them once, and only within ten seconds of its time (rfc8446#8). Handlers find `early-data: 1` among the fields, and may answer
   * 425: clients ask again after the handshake (RFC 8470).
   */
  readonly earlyData?: "off" | "safe";
  /** The settings to announce (rfc9114#7.2.4.1). */
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<Limits>;
  /** What controls congestion: `newreno`, the default (rfc9002#7), or `cubic` (RFC 9438), which recovers faster on long paths. */
  readonly congestion?: CongestionName;
  /** A folder for logs of connections in the form of qlog, one file each of at most 16 MiB; by default that of the variable QLOGDIR. */
  readonly qlog?: string;
  /** Limits of the transport: windows, streams, times (rfc9000#4). */
  readonly quic?: Partial<QuicLimits>;
};

/** HTTP/3, for a client. */
export type Http3ConnectOptions = Http3Options & {
  /** How long HTTP/3 is tried alone where another version may win the race, in milliseconds (300). */
  readonly headStartMs?: number;
};

/** HTTP/3, for a server. */
export type Http3ServeOptions = Http3Options & {
  /** Faults on every connection, by name: `reset:after=1`. `touchstone serve http3 --list-faults` prints them. */
  readonly faults?: readonly string[];
  /** Whether requests may ask for faults in the field `touchstone-fault`; false by default. */
  readonly faultByRequest?: boolean;
  /** Whether clients have to prove their address before the server keeps anything: always, or when there are many (rfc9000#8.1.2). */
  readonly retry?: "busy" | "always";
  /** For how many seconds a client may remember that HTTP/3 is spoken here, which responses over TCP say in Alt-Svc: a day; 0 says nothing (rfc7838#3.1). */
  readonly altSvcSeconds?: number;
};
