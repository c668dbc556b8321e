/** HTTP servers and clients of every version. */
export { Fields } from "../http/index.ts";
export type {
  Body,
  ClientCertificate,
  ConnectionInfo,
  Content,
  FieldsInit,
  HttpVersion,
  PushedRequest,
  Request,
  RequestHead,
  ResetCode,
  Response,
  ResponseHead,
  TlsInfo,
} from "../http/index.ts";
export { connect, type Client } from "./client/connect.ts";
export type { ClientResponse, Push } from "./client/exchange.ts";
export type { ClientOptions, ConnectOptions } from "./client/options.ts";
export { createClient, type HttpClient } from "./client/pool.ts";
export type { ClientRequest } from "./client/request.ts";
export { peer } from "./cli/peer.ts";
export { ConnectFailed, StreamFailed, type ConnectFailure, type StreamFailure } from "./errors.ts";
export { CLIENT_FAULTS, FAULTS, type Fault } from "./faults/index.ts";
export type { Exchange, Handler, Switched } from "./handler.ts";
export type { ProxyOptions } from "./proxy/options.ts";
export { proxy, type Proxy } from "./proxy/proxy.ts";
export type { ServeOptions, Server } from "./server/options.ts";
export { serve } from "./server/serve.ts";
export { virtualHosts } from "./server/virtual-hosts.ts";
export type { Alpn } from "./versions.ts";
export type { WorkerCounts } from "./workers/messages.ts";
export { serveInWorkers, type WorkersOptions, type WorkersServer } from "./workers/serve.ts";
