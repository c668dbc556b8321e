import { connectWebSocket, type ConnectWebSocketOptions } from "../../../reference/serve/websocket/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** Our WebSocket client: echoes every message until the server closes, and rejects if the connection did not close cleanly. */
export const echoing =
  (options: ConnectWebSocketOptions): InProcessClient =>
  async (url, signal) => {
    const protocols = new URL(url).searchParams.get("protocols")?.split(",") ?? [];
    const socket = await connectWebSocket(url, { ...options, subprotocols: protocols });
    signal.addEventListener("abort", () => socket.abort());
    socket.onMessage = (data, kind) => void socket.send(data, kind);
    const { clean, code } = await socket.closed;
    if (!clean) throw new Error(`the connection ended with ${code}`);
  };
