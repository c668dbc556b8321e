import type { Client } from "../client/connect.ts";
import type { ClientOptions, ConnectOptions, Handler, HttpClient, Proxy, ProxyOptions, ServeOptions, Server } from "../index.ts";
import * as every from "../index.ts";
import type { Alpn } from "../versions.ts";

/** HTTP/1.1 servers and clients (`@touchstone-suite/touchstone/http1`): the functions below speak HTTP/1.1 unless `alpn` names other versions. */
export * from "../index.ts";

const withAlpn = <Options extends { readonly alpn?: readonly Alpn[] }>(options?: Options) => ({
  ...options,
  alpn: options?.alpn ?? (["http/1.1"] as const),
});

/** Listens, and answers every request with `handler`. */
export const serve = (handler: Handler, options?: ServeOptions): Promise<Server> => every.serve(handler, withAlpn(options));
/** Opens one connection to one server; `createClient` keeps connections to many. */
export const connect = (url: string | URL, options?: ConnectOptions): Promise<Client> => every.connect(url, withAlpn(options));
/** Makes a client that keeps connections to many servers. */
export const createClient = (options?: ClientOptions): HttpClient => every.createClient(withAlpn(options));
/** Makes a reverse proxy that speaks HTTP/1.1 to its origin. */
export const proxy = (origin: string | URL, options?: ProxyOptions): Proxy => every.proxy(origin, withAlpn(options));
