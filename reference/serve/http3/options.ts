import type { Limits, Settings } from "../../http3/index.ts";
import type { QuicLimits } from "../../quic/index.ts";

/** HTTP/3, for a client. */
export type Http3ConnectOptions = {
  /** The settings to announce (rfc9114#7.2.4.1). */
  readonly settings?: Partial<Settings>;
  readonly limits?: Partial<Limits>;
  /** Limits of the transport: windows, streams, times (rfc9000#4). */
  readonly quic?: Partial<QuicLimits>;
};

/** HTTP/3, for a server. */
export type Http3ServeOptions = Http3ConnectOptions & {
  /** Whether clients have to prove their address before the server keeps anything: always, or when there are many (rfc9000#8.1.2). */
  readonly retry?: "busy" | "always";
};
