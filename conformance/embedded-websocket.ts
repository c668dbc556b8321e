import { serveWebSocket, type WebSocketServeOptions } from "../reference/serve/websocket/index.ts";
import type { CheckOptions } from "./check.ts";
import type { Result } from "./harness/result.ts";

type Part = Pick<CheckOptions, "suite" | "subject" | "name" | "only">;
type Perform = (title: string, part: Part) => Promise<Result>;

/** What a case can ask for: compression within a window of its own, and sub-protocols to choose from. */
const OPTIONS: WebSocketServeOptions = {
  deflate: { clientBits: 12 },
  protocols: ["chat", "echo", "superchat"],
  graceMs: 100,
};

/** Our WebSocket server over HTTP/1.1 and HTTP/2, which gives every message back, judged like anybody's. */
export async function ofWebSocketServer(only: readonly string[], perform: Perform): Promise<Result> {
  await using server = await serveWebSocket((socket) => {
    socket.onMessage = (data, kind) => void socket.send(data, kind);
  }, OPTIONS);
  return await perform("websocket server", {
    suite: "websocket",
    subject: server.url,
    name: "touchstone's own WebSocket server",
    only,
  });
}
