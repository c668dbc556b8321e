import { certificateOf, clearServer, inUrl, listen, tlsServer, type ServerTls } from "../../io/index.ts";
import type { Handler } from "../handler.ts";
import { forItsHost } from "./hosts.ts";
import { checkOptions } from "../options/check.ts";
import { SERVE_OPTIONS } from "../options/known.ts";
import { Connections } from "./connections.ts";
import type { ServeOptions, Server } from "./options.ts";

/** Listens, and answers every request with `handler`. Speaks all versions of HTTP by default. */
export async function serve(handler: Handler, options: ServeOptions = {}): Promise<Server> {
  checkOptions("serve", options, SERVE_OPTIONS);
  const { port = 0, host = "127.0.0.1", tls = false, graceMs = 5_000 } = options;
  const secure = tls === false ? undefined : await secured(tls === true ? {} : tls);
  const connections = new Connections(secure?.hosts === undefined ? handler : forItsHost(handler, secure.hosts), options);
  const server =
    secure === undefined
      ? clearServer((socket) => connections.accept(socket))
      : await tlsServer(secure, connections.alpn, {
          accept: (socket) => connections.acceptTls(socket),
          refuse: (socket, why) => connections.refuseTls(socket, why),
        });
  server.maxConnections = options.maxConnections ?? 10_000;
  const address = await listen(server, { host, port });
  if (secure !== undefined) server.on("connection", (socket) => connections.handshake(socket));
  server.on("error", (error) => options.onError?.(error));
  server.on("tlsClientError", (error) => options.onError?.(error));
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= connections.close(server, graceMs));
  return {
    url: `${secure === undefined ? "http" : "https"}://${inUrl(host)}:${address.port}/`,
    address: address.address,
    port: address.port,
    get connections() {
      return connections.size;
    },
    certificate: secure?.cert,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const secured = async (tls: ServerTls): Promise<ServerTls> => ({ ...tls, ...(await certificateOf(tls)) });
