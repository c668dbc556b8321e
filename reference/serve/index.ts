/** HTTP servers and clients to use, and to be tested against. */
export { connect, type Client, type ClientRequest, type ConnectOptions } from "./client/connect.ts";
export type { ClientResponse, Push } from "./client/exchange.ts";
export { ConnectFailed, StreamFailed, type ConnectFailure, type StreamFailure } from "./errors.ts";
export type { Exchange, Handler, Switched } from "./handler.ts";
export type { ConnectionInfo, PushedRequest } from "../http/index.ts";
export { serve, type ServeOptions, type Server } from "./server/serve.ts";
export { FAULTS, type Fault as ServerFault } from "./faults/index.ts";
export { peer } from "./cli/peer.ts";
export { createClient, type ClientOptions, type HttpClient } from "./client/pool.ts";
export type { Protocol } from "./versions.ts";
export { virtualHosts } from "./server/virtual-hosts.ts";
export { proxy, type Proxy, type ProxyOptions } from "./proxy/proxy.ts";
