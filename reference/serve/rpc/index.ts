/** RPC over HTTP/2: servers, channels, and what generated code needs. */
export { CallFailed, DIALECTS, Status, statusName } from "../../rpc/index.ts";
export type {
  AnyMethod,
  CallOptions,
  ConnectivityState,
  Codec,
  DialectName,
  Implementation,
  Metadata,
  MetadataEntry,
  MetadataInit,
  Method,
  ServerCall,
  Service,
  ServiceClient,
  StatusCode,
  StatusName,
} from "../../rpc/index.ts";
export { Channelz } from "./channelz/channelz.ts";
export { openChannel, type Channel } from "./client.ts";
export { lookUpServiceConfig, type ConfigLookUp } from "./config-look-up.ts";
export type { ChannelTarget, WeightedUrl } from "./target.ts";
export type {
  ChannelKeepalive,
  ChannelOptions,
  ClientInterceptor,
  InterceptedCall,
  RpcHandlerOptions,
  RpcServeOptions,
  ServerInterceptor,
} from "./options.ts";
export { Health, HEALTH, HealthOfServices, type HealthStatus } from "./health.ts";
export { loadEntry, LOAD_REPORTS, LoadReports, type ServerLoad } from "./load-reports.ts";
export { reflection } from "./reflection/reflection.ts";
export { interop } from "./interop.ts";
export { INTEROP_CASES, runInteropCase } from "./interop-cases.ts";
export { servicesOf } from "./reflect.ts";
export { implement, rpcHandler, serveRpc, type Implemented } from "./server.ts";
