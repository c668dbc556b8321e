import { connectWebSocket, type ConnectWebSocketOptions } from "../../../reference/serve/websocket/index.ts";
import { connect } from "../../../reference/serve/http2/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { echoEvery } from "./echo.ts";

/** Our WebSocket client: echoes every message until the server closes, and rejects if the connection did not close cleanly. */
export const echoing =
  (options: ConnectWebSocketOptions): InProcessClient =>
  (url, signal) =>
    echo(url, signal, options);

/** The same on a stream of an HTTP/2 connection. */
export const echoingOverHttp2 =
  (options: ConnectWebSocketOptions): InProcessClient =>
  async (url, signal) => {
    const over = await connect(new URL(url.replace(/^ws/, "http")).origin, { graceMs: 200, tls: { verify: false } });
    signal.addEventListener("abort", () => void over.close());
    try {
      await echo(url, signal, { ...options, over });
    } finally {
      await over.close();
    }
  };

async function echo(url: string, signal: AbortSignal, options: ConnectWebSocketOptions): Promise<void> {
  const protocols = new URL(url).searchParams.get("protocols")?.split(",") ?? [];
  const socket = await connectWebSocket(url, { ...options, subprotocols: protocols });
  signal.addEventListener("abort", () => socket.abort());
  echoEvery(socket);
  const { clean, code } = await socket.closed;
  if (!clean) throw new Error(`the connection ended with ${code}`);
}
