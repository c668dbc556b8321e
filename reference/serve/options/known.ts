import { DEFAULT_LIMITS as HTTP1_LIMITS, STRICT } from "../../http1/index.ts";
import { DEFAULT_LIMITS as HTTP2_LIMITS, INITIAL_SETTINGS, type KeepaliveOptions, type LifeOptions } from "../../http2/index.ts";
import { DEFAULT_LIMITS as HTTP3_LIMITS, OUR_SETTINGS } from "../../http3/index.ts";
import { QUIC_LIMITS } from "../../quic/index.ts";
import type { ClientTls, HostTls, ServerTls } from "../../io/index.ts";
import type { ClientOptions, ConnectOptions } from "../client/options.ts";
import type { Http1Options, Http1ServeOptions } from "../http1/options.ts";
import type { Http2ConnectOptions, Http2ServeOptions } from "../http2/options.ts";
import type { Http3ConnectOptions, Http3ServeOptions } from "../http3/options.ts";
import type { ProxyOptions } from "../proxy/options.ts";
import type { ServeOptions } from "../server/options.ts";
import { ANY, namesOf, type Names } from "./check.ts";

/** Every option of every face, for `checkOptions`: a name that a type has and a table has not does not compile, nor does the reverse. */

const HTTP1 = { limits: namesOf(HTTP1_LIMITS), lenient: namesOf(STRICT) } satisfies Names<Http1Options>;
const BOTH_ENDS = { settings: namesOf(INITIAL_SETTINGS), limits: namesOf(HTTP2_LIMITS), autoTune: true } as const;

const HTTP3 = {
  settings: namesOf(OUR_SETTINGS),
  limits: namesOf(HTTP3_LIMITS),
  quic: namesOf(QUIC_LIMITS.with(undefined)),
  earlyData: true,
  congestion: true,
  qlog: true,
} as const;

const KEEPALIVE = { timeMs: true, timeoutMs: true, withoutStreams: true } satisfies Names<KeepaliveOptions>;
const LIFE = { maxIdleMs: true, maxAgeMs: true, graceMs: true } satisfies Names<LifeOptions>;
const HOST_TLS = {
  cert: true,
  key: true,
  ciphers: true,
  ca: true,
  clientCertificate: true,
  minVersion: true,
  maxVersion: true,
  renew: true,
} satisfies Names<HostTls>;

export const SERVE_OPTIONS = {
  port: true,
  host: true,
  alpn: true,
  tls: { ...HOST_TLS, hosts: { [ANY]: HOST_TLS } } satisfies Names<ServerTls>,
  http1: { ...HTTP1, halfClose: true, faults: true, faultByRequest: true } satisfies Names<Http1ServeOptions>,
  http2: {
    ...BOTH_ENDS,
    h2c: true,
    faults: true,
    faultByRequest: true,
    keepalive: KEEPALIVE,
    life: LIFE,
    permitPings: { everyMs: true, withoutStreams: true },
  } satisfies Names<Http2ServeOptions>,
  http3: { ...HTTP3, retry: true, altSvcSeconds: true, faults: true, faultByRequest: true } satisfies Names<Http3ServeOptions>,
  faults: true,
  faultByRequest: true,
  graceMs: true,
  idleMs: true,
  stallMs: true,
  maxConnections: true,
  date: true,
  onError: true,
  filter: true,
} satisfies Names<ServeOptions>;

export const CONNECT_OPTIONS = {
  alpn: true,
  tls: { ca: true, verify: true, servername: true, ciphers: true, cert: true, key: true, resume: true } satisfies Names<ClientTls>,
  http1: HTTP1,
  http2: { ...BOTH_ENDS, keepalive: KEEPALIVE, push: true, h2c: true } satisfies Names<Http2ConnectOptions>,
  http3: { ...HTTP3, headStartMs: true } satisfies Names<Http3ConnectOptions>,
  connectMs: true,
  signal: true,
  graceMs: true,
  stallMs: true,
  unreadMs: true,
  faults: true,
  filter: true,
  tunnel: true,
} satisfies Names<ConnectOptions>;

export const CLIENT_OPTIONS = {
  ...CONNECT_OPTIONS,
  maxConnections: true,
  maxWaiting: true,
  keepMs: true,
} satisfies Names<ClientOptions>;

export const PROXY_OPTIONS = {
  ...CLIENT_OPTIONS,
  pseudonym: true,
  timeoutMs: true,
  expectMs: true,
  maxTunnels: true,
  tunnelIdleMs: true,
} satisfies Names<ProxyOptions>;
