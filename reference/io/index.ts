/** Sockets, TLS and timers around the protocol machines. */
export { authorityOf } from "./authority.ts";
export { selfSigned } from "./certificates.ts";
export { now, watch, type Timed } from "./clock.ts";
export { contractReader } from "./contracts.ts";
export { Revision } from "./revisions.ts";
export { deflateEngine, type EngineOptions } from "./deflate.ts";
export type { Carrier, StreamCarrier } from "./carrier.ts";
export { addressesOf, textsOf } from "./names.ts";
export { reset } from "./reset.ts";
export { Drive, type DriveOptions, type Filter, type Link } from "./drive.ts";
export type { Owner } from "./machine.ts";
export { clearServer, dialClear, fromUrl, inUrl, listen, type Place } from "./tcp.ts";
export { authorities, dialTls, isForbidden, isTls, type ClientTls } from "./tls.ts";
export { certificateOf, entryFor, problemOf, tlsServer, type HostTls, type RenewedTls, type ServerTls } from "./tls-server.ts";
export { TlsSessions } from "./tls-sessions.ts";
export { messageCompressors } from "./message-compression.ts";
export { realFiles } from "./files.ts";
export { scanAhead } from "./scan-ahead.ts";
