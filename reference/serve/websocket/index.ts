/** WebSocket (rfc6455) over HTTP/1.1 and HTTP/2 (rfc8441): in a handler, as a server of its own, and as a client. */
export { webSocket, type OnOpen } from "./accept.ts";
export type { Backoff } from "./backoff.ts";
export { connectWebSocket, HandshakeFailed } from "./client.ts";
export { keepWebSocket, type KeptWebSocket } from "./keep.ts";
export type { Ending, Message, MessageKind, OnMessage, OpenWebSocket, Sendable, SlowReader, SocketState } from "./open-websocket.ts";
export type { ConnectWebSocketOptions, KeepOptions, WebSocketOptions, WebSocketServeOptions } from "./options.ts";
export type { Compression } from "./platform.ts";
export { serveWebSocket } from "./server.ts";
