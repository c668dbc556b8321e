/** What a process shows of its channels, servers and connections. It performs no I/O, and reads the time by a function that it is given. */
export { ipOctets } from "./ip.ts";
export { ChannelRecord, ServerRecord, type SocketAddress, type SocketInfo, SocketRecord, SubchannelRecord } from "./records.ts";
export { pageOf, Registry } from "./registry.ts";
export type { Counter } from "./counter.ts";
export type { Trace } from "./trace.ts";
