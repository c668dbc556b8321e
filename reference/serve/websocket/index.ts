/** WebSocket (rfc6455) over HTTP/1.1 and HTTP/2 (rfc8441): as part of a handler, as a server of its own, and as a client. */
export { webSocket, type OnOpen, type WebSocketOptions } from "./accept.ts";
export type { Backoff } from "./backoff.ts";
export { connectWebSocket, HandshakeFailed, type ConnectWebSocketOptions } from "./client.ts";
export type { Compression } from "./platform.ts";
export { keepWebSocket, type KeepOptions, type KeptWebSocket } from "./keep.ts";
export { serveWebSocket, type WebSocketServeOptions } from "./server.ts";
export type { Ending, Message, MessageKind, OnMessage, OpenWebSocket, SlowReader } from "./socket.ts";
