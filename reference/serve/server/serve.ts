import type { Server as NetServer } from "node:net";
import { Misuse } from "../../core/index.ts";
import { certificateOf, clearServer, inUrl, listen, tlsServer, type ServerTls } from "../../io/index.ts";
import type { Handler } from "../handler.ts";
import { forItsHost } from "./hosts.ts";
import { checkOptions } from "../options/check.ts";
import type { Http3Listener } from "../http3/listen.ts";
import { SERVE_OPTIONS } from "../options/known.ts";
import { HTTP3, speaksHttp3, speaksHttp3Alone } from "../versions.ts";
import { Connections } from "./connections.ts";
import type { ServeOptions, Server } from "./options.ts";

/** Listens, and answers every request with `handler`. Speaks all versions of HTTP over TCP by default. */
export async function serve(handler: Handler, options: ServeOptions = {}): Promise<Server> {
  checkOptions("serve", options, SERVE_OPTIONS);
  const { host = "127.0.0.1", tls = speaksHttp3(options.alpn), graceMs = 5_000 } = options;
  const secure = tls === false ? undefined : await secured(tls === true ? {} : tls);
  if (secure === undefined && speaksHttp3(options.alpn)) throw new Misuse("HTTP/3 has no clear text: give `tls`, or leave it out");
  const connections = new Connections(secure?.hosts === undefined ? handler : forItsHost(handler, secure.hosts), options);
  const { streams, datagrams } = await listenForAll(connections, secure, options);
  const { address, port } = (streams?.place ?? datagrams)!;
  const { altSvcSeconds: seconds = ALT_SVC_SECONDS } = options.http3 ?? {};
  if (streams !== undefined && datagrams !== undefined && seconds > 0)
    connections.advertise({ alpn: HTTP3.alpn, host: "", port: datagrams.port, seconds });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= connections.close(streams?.server, graceMs, datagrams?.close));
  return {
    url: `${secure === undefined ? "http" : "https"}://${inUrl(host)}:${port}/`,
    address,
    port,
    get connections() {
      return connections.size;
    },
    certificate: secure?.cert,
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Listening = { readonly streams?: Streams; readonly datagrams?: Http3Listener };
/** Listens for what the versions need; for TCP and UDP at one port, which may be free for TCP alone: then another one is tried, if any will do. */
async function listenForAll(connections: Connections, secure: ServerTls | undefined, options: ServeOptions): Promise<Listening> {
  if (secure === undefined || !speaksHttp3(options.alpn)) return { streams: await listenForStreams(connections, secure, options) };
  if (speaksHttp3Alone(options.alpn)) return { datagrams: await listenForDatagrams(connections, secure, options) };
  for (let again = options.port === undefined || options.port === 0 ? PORTS_TRIED - 1 : 0; ; again--) {
    const streams = await listenForStreams(connections, secure, options);
    try {
      return { streams, datagrams: await listenForDatagrams(connections, secure, { ...options, port: streams.place.port }) };
    } catch (error) {
      streams.server.close();
      if (again === 0) throw error;
    }
  }
}
const PORTS_TRIED = 5;

type Streams = { readonly server: NetServer; readonly place: { readonly address: string; readonly port: number } };

/** Listens for TCP. */
async function listenForStreams(connections: Connections, secure: ServerTls | undefined, options: ServeOptions): Promise<Streams> {
  const { port = 0, host = "127.0.0.1" } = options;
  const server =
    secure === undefined
      ? clearServer((socket) => connections.accept(socket))
      : await tlsServer(secure, connections.alpn, {
          accept: (socket) => connections.acceptTls(socket),
          refuse: (socket, why) => connections.refuseTls(socket, why),
        });
  server.maxConnections = options.maxConnections ?? MOST_CONNECTIONS;
  const place = await listen(server, { host, port });
  if (secure !== undefined) server.on("connection", (socket) => connections.handshake(socket));
  server.on("error", (error) => options.onError?.(error));
  server.on("tlsClientError", (error) => options.onError?.(error));
  return { server, place };
}

/** Listens for UDP, at the same port. Loaded on demand: other servers do not need QUIC. */
async function listenForDatagrams(
  connections: Connections,
  tls: ServerTls,
  {
    host = "127.0.0.1",
    port = 0,
    http3 = {},
    idleMs,
    stallMs,
    maxConnections = MOST_CONNECTIONS,
    onError,
    faults,
    faultByRequest,
  }: ServeOptions,
): Promise<Http3Listener> {
  const { listenHttp3 } = await import("../http3/listen.ts");
  return listenHttp3({
    host,
    port,
    tls,
    context: connections.context,
    wrong: { faults, faultByRequest },
    options: http3,
    idleMs,
    stallMs,
    maxConnections,
    joined: (connection) => connections.joined(connection),
    count: () => connections.count(),
    broken: (error) => onError?.(error),
  });
}

const MOST_CONNECTIONS = 10_000;
const ALT_SVC_SECONDS = 86_400;
const secured = async (tls: ServerTls): Promise<ServerTls> => ({ ...tls, ...(await certificateOf(tls)) });
