import type { KeepaliveOptions, LifeOptions, Limits, PermittedPings, Settings } from "../../http2/index.ts";

type Http2Options = {
  /** The settings to announce (rfc9113#6.5.2). */
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<Limits>;
  /** Grows receive windows to fit the path; false by default. */
  readonly autoTune?: boolean;
};

/** HTTP/2, for a server. */
export type Http2ServeOptions = Http2Options & {
  /** Whether a client in clear text may upgrade from HTTP/1.1 by `Upgrade: h2c` (rfc7540#3.2); true by default. */
  readonly h2c?: boolean;
  /** Faults on every connection, by name: `reset:code=CANCEL,after=1`. `touchstone serve http2 --list-faults` prints them. */
  readonly faults?: readonly string[];
  /** Whether requests may ask for faults in the field `touchstone-fault`; false by default. */
  readonly faultByRequest?: boolean;
  /** Asks silent clients by PING whether they are alive, and drops those that do not answer. Off by default. */
  readonly keepalive?: KeepaliveOptions;
  /** How long a connection may be idle, and how old it may become. Unlimited by default. */
  readonly life?: LifeOptions;
  /** How often a client may send PING while it gets nothing from us; GOAWAY ends the connection of one that sends more. */
  readonly permitPings?: PermittedPings;
};

/** HTTP/2, for a client. */
export type Http2ConnectOptions = Http2Options & {
  /** Asks a silent server by PING whether it is alive, and drops the connection if it does not answer. Off by default. */
  readonly keepalive?: KeepaliveOptions;
  /** Whether the server may push; false by default. */
  readonly push?: boolean;
  /**
   * How to start HTTP/2 in clear text: with prior knowledge (rfc9113#3.3), or by upgrading from HTTP/1.1 in the first request without
   * content (rfc7540#3.2). By default with prior knowledge if `alpn` names HTTP/2 alone; otherwise clear text means HTTP/1.1.
   */
  readonly h2c?: "prior-knowledge" | "upgrade";
};
