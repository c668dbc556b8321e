import { serveWebSocket, type WebSocketServeOptions } from "../../../reference/serve/websocket/index.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import type { StartedSubject } from "../../harness/suite.ts";

/** The options of cases: compression with a given window, and supported sub-protocols. */
const OPTIONS: WebSocketServeOptions = {
  deflate: { clientBits: 12 },
  subprotocols: ["chat", "echo", "superchat"],
  graceMs: 100,
};

/** Our WebSocket server over HTTP/1.1 and HTTP/2, which echoes every message. */
export async function startServer(): Promise<StartedSubject<ServerSubject>> {
  const server = await serveWebSocket((socket) => {
    socket.onMessage = (data, kind) => void socket.send(data, kind);
  }, OPTIONS);
  return { subject: { url: server.url }, stop: () => server.close() };
}
