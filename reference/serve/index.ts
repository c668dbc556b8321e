/** HTTP/2 servers and clients to use, and to be tested against. */
export { connect, type Client, type ClientRequest, type ConnectOptions } from "./client.ts";
export type { ClientResponse, Push } from "./client-stream.ts";
export { ConnectFailed, StreamFailed, type ConnectFailure, type StreamFailure } from "./errors.ts";
export type { ConnectionInfo } from "./connection-info.ts";
export type { Exchange, Handler, PushedRequest } from "./exchange.ts";
export { serve, type ServeOptions, type Server } from "./server.ts";
export { FAULTS, type Fault as ServerFault } from "./faults/index.ts";
export { peer } from "./peer.ts";
